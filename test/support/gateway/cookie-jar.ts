interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** Follows redirects as a browser does and sends each host its cookies. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie[]>();

  /** The value of the `Cookie` header for a URL. */
  cookiesFor(url: URL): string {
    const sent = (this.#cookies.get(url.hostname) ?? []).filter(({ path }) => url.pathname.startsWith(path));
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async get(url: URL): Promise<Response> {
    const cookie = this.cookiesFor(url);
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { Cookie: cookie } });
    await response.arrayBuffer();
    for (const line of response.headers.getSetCookie()) this.#keep(url.hostname, line);
    return response;
  }

  /** Follows redirects until `isEnd` or the end of the chain. @returns the last URL */
  async walk(from: URL, isEnd: (url: URL) => boolean = () => false): Promise<URL> {
    let url = from;
    for (let steps = 0; steps < 20 && !isEnd(url); steps++) {
      const location = (await this.get(url)).headers.get('location');
      if (location === null) break;
      url = new URL(location, url);
    }
    return url;
  }

  #keep(host: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/';
    const isDeleted = attributes.some((one) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(one));
    const others = (this.#cookies.get(host) ?? []).filter((one) => one.name !== name || one.path !== path);
    this.#cookies.set(host, isDeleted ? others : [...others, { name, value, path }]);
  }
}
