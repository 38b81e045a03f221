import { cookieValues } from '../sessions/session-cookie.ts';
import type { SignInFlow } from './identity-provider.ts';

/** How long people have at their provider. */
const MAX_AGE_SECONDS = 600;
const RANDOM = /^[A-Za-z0-9_-]{20,128}$/;

/** Carries a flow while the browser is at the provider. `Lax`: it comes back from another site. */
export class FlowCookie {
  readonly #name: string;
  readonly #attributes: string;

  /**
   * @param name of the cookie
   * @param callback where the provider sends the browser: the only place that the cookie goes to
   */
  constructor(name: string, { protocol, pathname }: URL) {
    const secure = protocol === 'https:';
    this.#name = secure ? `__Secure-${name}` : name;
    this.#attributes = `Path=${pathname}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  set({ state, nonce, codeVerifier }: SignInFlow): string {
    return `${this.#name}=${state}.${nonce}.${codeVerifier}; ${this.#attributes}; Max-Age=${MAX_AGE_SECONDS}`;
  }

  clear(): string {
    return `${this.#name}=; ${this.#attributes}; Max-Age=0`;
  }

  /** Null if there is none, or more than one. */
  read(header: string | undefined): SignInFlow | null {
    const [value, ...others] = cookieValues(header ?? '', this.#name);
    const parts = value?.split('.') ?? [];
    const [state, nonce, codeVerifier] = parts;
    if (others.length > 0 || parts.length !== 3 || !parts.every((part) => RANDOM.test(part))) return null;
    return { state: state!, nonce: nonce!, codeVerifier: codeVerifier! };
  }
}
