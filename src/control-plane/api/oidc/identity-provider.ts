/** What a provider says of somebody, from its ID token and its userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** What ties an answer of the provider to the browser that asked. Each is random and used once. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

/** Where people have their accounts. Every wait has a limit. */
export interface IdentityProvider {
  readonly newFlow: () => SignInFlow;
  /** Where to send the browser. @throws SignInFailed `unavailable` */
  authorizationUrl(flow: SignInFlow): Promise<URL>;
  /**
   * What the provider says of who came back.
   *
   * @param search the query of the callback
   * @throws SignInFailed
   */
  identify(search: string, flow: SignInFlow): Promise<Claims>;
}

/**
 * `unavailable`: the provider does not answer as it should. `rejected`: it did not sign them in, or the answer is not
 * one to the question. `not_allowed`: it did, but they may not sign in here.
 */
export type SignInFailure = 'unavailable' | 'rejected' | 'not_allowed';

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly failure: SignInFailure;

  constructor(failure: SignInFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
