import * as oidc from 'openid-client';
import { Agent, fetch } from 'undici';
import { serverNames } from '../../base/host-names.ts';
import { HOUR_MS } from '../../base/time.ts';
import {
  readClaimValues,
  readSubject,
  type Claims,
  type IdentityProvider,
  SignInFailed,
  type SignInFlow,
} from './oidc-sign-in.ts';

export interface OpenIdProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A required claim. It is read from the userinfo endpoint if the ID token does not have it. */
  readonly claim: string;
  readonly redirectUri: string;
  /** Maximum wait for a response of the provider. */
  readonly timeoutMs: number;
}

/** The provider's discovery document is read again after this time. */
const DISCOVERY_MAX_AGE_MS = HOUR_MS;

/**
 * An OpenID Connect provider (Core 1.0, authorization code flow). It is first contacted at a sign-in, so that the
 * gateway can start while the provider is unavailable.
 */
export class OpenIdProvider implements IdentityProvider {
  readonly #options: OpenIdProviderOptions;
  #discovery: { readonly at: number; readonly configuration: Promise<oidc.Configuration> } | undefined;

  constructor(options: OpenIdProviderOptions) {
    this.#options = options;
  }

  createFlow(): SignInFlow {
    return { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier() };
  }

  async createAuthorizationUrl({ state, nonce, codeVerifier }: SignInFlow): Promise<URL> {
    const provider = await this.#getConfiguration();
    return oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.#options.redirectUri,
      scope: this.#chooseScope(provider),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  async identify(search: string, { state, nonce, codeVerifier }: SignInFlow): Promise<Claims> {
    const provider = await this.#getConfiguration();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
    try {
      const url = new URL(search, this.#options.redirectUri);
      const tokens = await oidc.authorizationCodeGrant(provider, url, checks);
      const idToken: Claims = tokens.claims() ?? {};
      return { ...(await this.#readUserInfo(provider, tokens.access_token, idToken)), ...idToken };
    } catch (error) {
      throw toSignInFailed(error);
    }
  }

  /** Reads the userinfo endpoint if the ID token does not have the claim: many providers return groups only there. */
  async #readUserInfo(provider: oidc.Configuration, accessToken: string, idToken: Claims): Promise<Claims> {
    const { userinfo_endpoint: endpoint } = provider.serverMetadata();
    if (endpoint === undefined || readClaimValues(idToken, this.#options.claim).length > 0) return {};
    return oidc.fetchUserInfo(provider, accessToken, readSubject(idToken));
  }

  /** The scopes to request. Some providers have a scope for the claim, such as `groups`. */
  #chooseScope(provider: oidc.Configuration): string {
    const { scopes_supported: supported = [] } = provider.serverMetadata();
    const wanted = ['email', 'profile', this.#options.claim].filter((scope) => supported.includes(scope));
    return [...new Set(['openid', ...wanted])].join(' ');
  }

  /** The provider's discovery document. Concurrent callers share one request. A failure is not cached. */
  async #getConfiguration(): Promise<oidc.Configuration> {
    const at = performance.now();
    if (this.#discovery === undefined || at - this.#discovery.at > DISCOVERY_MAX_AGE_MS) {
      this.#discovery = { at, configuration: this.#discover() };
    }
    const current = this.#discovery;
    try {
      return await current.configuration;
    } catch (error) {
      if (this.#discovery === current) this.#discovery = undefined;
      throw new SignInFailed('unavailable', 'the provider cannot be reached', { cause: error });
    }
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, timeoutMs } = this.#options;
    const url = new URL(issuer);
    const insecure = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(url, clientId, undefined, createClientAuth(clientSecret), {
      timeout: timeoutMs / 1000,
      [oidc.customFetch]: fetchByName,
      execute: [...insecure, oidc.enableNonRepudiationChecks],
    });
  }
}

/** Sign-ins are too rare to keep connections for them. */
const dispatcher = new Agent({
  pipelining: 0,
  connect: { lookup: (...parameters) => serverNames.lookup(...parameters) },
});

/** Resolves the host name without holding up the other lookups of the process. */
const fetchByName = ((url: string, options: object) => fetch(url, { ...options, dispatcher })) as oidc.CustomFetch;

/**
 * Sends the client secret in a form that the provider accepts, by default `client_secret_basic` (Discovery 1.0, section
 * 3).
 */
function createClientAuth(secret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers);
  };
}

/** The library's codes for invalid responses of the provider. */
const PROVIDER_FAILURE_CODES = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function toSignInFailed(error: unknown): SignInFailed {
  if (error instanceof SignInFailed) return error;
  const { code = '' } = error as { readonly code?: string };
  // If `fetch` cannot reach the provider, it rejects with a TypeError that has no code.
  const isProviderFailure = PROVIDER_FAILURE_CODES.has(code) || (error instanceof TypeError && code === '');
  return isProviderFailure
    ? new SignInFailed('unavailable', 'the provider does not respond', { cause: error })
    : new SignInFailed('rejected', 'the provider did not confirm an identity', { cause: error });
}
