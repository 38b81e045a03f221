export interface SessionCookie {
  readonly name: string;
  readonly secret: string;
  readonly secure: boolean;
}

/** The cookie that carries the sessions of one listener. */
export class SessionCookies {
  readonly #plain: string;
  /** Browsers keep it only if it came over TLS, for this host alone and for all of it (RFC 6265bis, 4.1.3.2). */
  readonly #secure: string;

  constructor(name: string) {
    this.#plain = name;
    this.#secure = `__Host-${name}`;
  }

  name(secure: boolean): string {
    return secure ? this.#secure : this.#plain;
  }

  /**
   * The session's cookie in a `Cookie` header; null if there is none, or if it is there twice: another service on this
   * host has then added one of its own.
   */
  read(header: string | undefined): SessionCookie | null {
    if (header === undefined || !header.includes(this.#plain)) return null;
    return readCookie(header, this.#secure, true) ?? readCookie(header, this.#plain, false);
  }

  /** @param maxAgeMs how long the browser keeps it; 0 deletes it */
  set(secure: boolean, secret: string, maxAgeMs: number): string {
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
    return `${this.name(secure)}=${secret}; ${attributes}${secure ? '; Secure' : ''}`;
  }

  clear(secure: boolean): string {
    return this.set(secure, '', 0);
  }
}

export function cookieValues(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

function readCookie(header: string, name: string, secure: boolean): SessionCookie | null {
  const values = cookieValues(header, name);
  return values.length === 1 ? { name, secret: values[0] ?? '', secure } : null;
}
