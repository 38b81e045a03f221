/**
 * A cookie of one listener, for its whole host. Over HTTPS its name begins with `__Host-`: browsers keep such a cookie
 * only if this host itself has set it, over HTTPS (RFC 6265bis, 4.1.3.2). Each function takes whether people come over
 * HTTPS, see `isHttps`.
 */
export class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'Strict' | 'Lax';

  constructor(name: string, sameSite: 'Strict' | 'Lax') {
    this.#name = name;
    this.#sameSite = sameSite;
  }

  name(https: boolean): string {
    return https ? `__Host-${this.#name}` : this.#name;
  }

  /**
   * The value in a `Cookie` header; null if there is none, or if it is there twice: another service on this host has
   * then added one of its own.
   */
  read(header: string | undefined, https: boolean): string | null {
    const prefix = `${this.name(https)}=`;
    // Only what browsers put between cookies is taken off. `trim` would also take off a no-break space, and so read
    // cookies of other names, which `__Host-` does not protect.
    const found = (header ?? '').split(/;[ \t]*/).filter((pair) => pair.startsWith(prefix));
    return found.length === 1 ? (found[0] ?? '').slice(prefix.length) : null;
  }

  /** @param maxAgeMs how long the browser keeps it; 0 deletes it */
  set(https: boolean, value: string, maxAgeMs: number): string {
    const attributes = `Path=/; HttpOnly; SameSite=${this.#sameSite}; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
    return `${this.name(https)}=${value}; ${attributes}${https ? '; Secure' : ''}`;
  }

  clear(https: boolean): string {
    return this.set(https, '', 0);
  }
}
