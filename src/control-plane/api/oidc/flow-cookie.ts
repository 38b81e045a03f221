import { MINUTE_MS } from '../../../base/time.ts';
import { HostCookie } from '../sessions/host-cookie.ts';
import type { SignInFlow } from './identity-provider.ts';

/** How long people have at their provider. */
const MAX_AGE_MS = 10 * MINUTE_MS;
const RANDOM = /^[A-Za-z0-9_-]{20,128}$/;

/**
 * Carries a flow while the browser is at the provider. It needs `__Host-` like a session: with a flow that a sibling host
 * has planted, and the provider's answer to it, somebody would be signed in as the attacker.
 */
export class FlowCookie {
  readonly #cookie: HostCookie;

  constructor(name: string) {
    // The provider, another site, sends the browser back.
    this.#cookie = new HostCookie(name, 'Lax');
  }

  set({ state, nonce, codeVerifier }: SignInFlow, https: boolean): string {
    return this.#cookie.set(https, `${state}.${nonce}.${codeVerifier}`, MAX_AGE_MS);
  }

  clear(https: boolean): string {
    return this.#cookie.clear(https);
  }

  /** Null if there is none, or more than one. */
  read(header: string | undefined, https: boolean): SignInFlow | null {
    const parts = this.#cookie.read(header, https)?.split('.') ?? [];
    const [state, nonce, codeVerifier] = parts;
    if (parts.length !== 3 || !parts.every((part) => RANDOM.test(part))) return null;
    return { state: state!, nonce: nonce!, codeVerifier: codeVerifier! };
  }
}
