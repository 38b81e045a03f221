import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../../base/time.ts';
import type { CountFailedAttempt } from '../api-server/failed-attempts.ts';
import { Refused } from '../api-server/refused.ts';
import { respond, type Handler } from '../api-server/send-response.ts';
import { joinUrl } from '../api-server/server.ts';
import { isHttps, HostCookie } from './browser-session.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import { RETRY_SOON } from '../../http/retry-after.ts';

/** Maximum number of sign-ins that wait for the provider. Further sign-ins are refused. */
const MAX_WAITING = 20;

interface OidcSignInResult {
  /** The value of the session's `Set-Cookie`. */
  readonly setCookie: string;
  /** The page to show first, such as `welcome`; undefined: the usual page. */
  readonly page?: string | undefined;
}

export interface OidcSignInDependencies {
  readonly provider: IdentityProvider;
  /** The public URL of the listener. The provider sends people back to it. */
  readonly publicUrl: URL;
  /** Paths of the listener: where users sign in, where their provider sends them back to, and where the pages are. */
  readonly paths: { readonly start: string; readonly callback: string; readonly pages: string };
  /** The name of the cookie that ties the provider's response to the browser. */
  readonly flowCookie: string;
  /**
   * Starts a session for the user who came back.
   *
   * @throws SignInFailed
   */
  readonly signIn: (claims: Claims, req: IncomingMessage) => Promise<OidcSignInResult>;
  readonly countFailedAttempt: CountFailedAttempt;
  readonly clientAddress: ClientAddress;
  readonly addressLimiter: AddressLimiter;
  readonly logger: Logger;
}

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/**
 * Signs users in with OpenID Connect. Browsers open its two paths as pages; they are not part of the API. `paths.start`
 * redirects to the provider. The provider sends the user back to `paths.callback`, which redirects to the portal or
 * console pages. If the sign-in failed, the fragment of the URL tells these pages why.
 */
export function createOidcSignIn(dependencies: OidcSignInDependencies): Handler {
  const { provider, publicUrl, paths, signIn, addressLimiter, countFailedAttempt, clientAddress, logger } =
    dependencies;
  const flowCookie = new FlowCookie(dependencies.flowCookie);
  const pagesUrl = joinUrl(publicUrl, paths.pages);
  let waitingCount = 0;

  return async function signInWithOidc(req, res, next) {
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    if (req.method !== 'GET' || (path !== paths.start && path !== paths.callback)) return next();
    if (waitingCount >= MAX_WAITING) throw new Refused('overloaded', { headers: { 'Retry-After': RETRY_SOON } });
    waitingCount++;
    try {
      await (path === paths.start ? startFlow(req, res) : handleCallback(req, res));
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      await handleFailure(req, res, error);
    } finally {
      waitingCount--;
    }
  };

  async function startFlow(req: Request, res: Response): Promise<void> {
    const flow = provider.createFlow();
    const url = await provider.createAuthorizationUrl(flow);
    redirect(res, url.href, [flowCookie.set(flow, isHttps(req, publicUrl))]);
  }

  async function handleCallback(req: Request, res: Response): Promise<void> {
    const https = isHttps(req, publicUrl);
    const flow = flowCookie.read(req.headers.cookie, https);
    if (flow === null)
      throw new SignInFailed('rejected', 'no sign-in is in progress in this browser, or it took too long');
    const { remaining } = await addressLimiter.peek(clientAddress(req));
    // Each attempt causes a call to the provider, so addresses with too many failed attempts are refused.
    if (remaining === 0) throw await countFailedAttempt(clientAddress(req));
    const claims = await provider.identify(req.originalUrl.slice(paths.callback.length), flow);
    const { setCookie, page } = await signIn(claims, req);
    redirect(res, pagesUrl + (page ?? ''), [setCookie, flowCookie.clear(https)]);
  }

  async function handleFailure(req: Request, res: Response, error: SignInFailed): Promise<void> {
    if (error.failure !== 'unavailable') await countFailedAttempt(clientAddress(req));
    const { requestId } = res.locals;
    logger.warn({ requestId, failure: error.message, reason: formatReason(error) }, 'OpenID Connect sign-in failed');
    res.locals.refusal = `oidc_${error.failure}`;
    redirect(res, `${pagesUrl}#sign-in-failed=${error.failure}`, [flowCookie.clear(isHttps(req, publicUrl))]);
  }
}

function redirect(res: Response, location: string, cookies: readonly string[]): void {
  respond(res, 303, { Location: location, 'Set-Cookie': cookies, 'Referrer-Policy': 'no-referrer' }, undefined);
}

/**
 * The reason of a failed sign-in, for the log. Only messages and error codes are logged, because other fields of the
 * library's errors contain responses of the provider, and these may contain tokens.
 */
function formatReason({ cause }: SignInFailed): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { error } = cause as { readonly error?: unknown };
  const innerMessage = cause.cause instanceof Error ? cause.cause.message : undefined;
  return [cause.message, innerMessage, error].filter((part) => typeof part === 'string').join(': ');
}

/** How long people may take to sign in at their provider. */
const FLOW_MAX_AGE_MS = 10 * MINUTE_MS;
const RANDOM_VALUE = /^[A-Za-z0-9_-]{20,128}$/;

/**
 * The cookie that holds a flow while the browser is at the provider. It needs the prefix `__Host-`, like a session
 * cookie. Without the prefix, an attacker on a sibling host could plant a flow of their own and the provider's response
 * to it, and so sign the user in as the attacker.
 */
class FlowCookie {
  readonly #cookie: HostCookie;

  constructor(name: string) {
    // The provider is a different site and sends the browser back here. With `Strict`, the browser would then not send
    // the cookie.
    this.#cookie = new HostCookie(name, 'Lax');
  }

  set({ state, nonce, codeVerifier }: SignInFlow, https: boolean): string {
    return this.#cookie.set(https, `${state}.${nonce}.${codeVerifier}`, FLOW_MAX_AGE_MS);
  }

  clear(https: boolean): string {
    return this.#cookie.clear(https);
  }

  /** Null if there is no valid cookie, or more than one. */
  read(header: string | undefined, https: boolean): SignInFlow | null {
    const parts = this.#cookie.read(header, https)?.split('.') ?? [];
    const [state, nonce, codeVerifier] = parts;
    if (parts.length !== 3 || !parts.every((part) => RANDOM_VALUE.test(part))) return null;
    return { state: state!, nonce: nonce!, codeVerifier: codeVerifier! };
  }
}

/** Claims of a provider about a user, from its ID token and its userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Ties a response of the provider to the browser that started the sign-in. Each value is random and used once. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

/** An identity provider that people have accounts with. Every wait has a time limit. */
export interface IdentityProvider {
  readonly createFlow: () => SignInFlow;
  /** The URL to send the browser to. @throws SignInFailed `unavailable` */
  createAuthorizationUrl(flow: SignInFlow): Promise<URL>;
  /**
   * The provider's claims about the user who came back.
   *
   * @param search the query of the callback
   * @throws SignInFailed
   */
  identify(search: string, flow: SignInFlow): Promise<Claims>;
}

/**
 * `unavailable`: the provider does not respond as it should. `rejected`: the provider did not sign the user in, or its
 * response does not match the request. `not_allowed`: the provider signed the user in, but the user may not sign in
 * here.
 */
type SignInFailure = 'unavailable' | 'rejected' | 'not_allowed';

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly failure: SignInFailure;

  constructor(failure: SignInFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** A name of printable ASCII characters, so that the audit log can be searched for it. */
const NAME_PATTERN = /^[!-~]{1,120}$/;

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT_PATTERN = /^[ -~]{1,255}$/;

/**
 * The provider's identifier for the user, which never changes.
 *
 * @throws SignInFailed `rejected` if the identifier is not valid
 */
export function readSubject({ sub }: Claims): string {
  if (typeof sub === 'string' && SUBJECT_PATTERN.test(sub)) return sub;
  throw new SignInFailed('rejected', 'the subject (sub) is not 1 to 255 printable ASCII characters');
}

/**
 * The values of a claim. If there is no claim with this exact name, the name is read as a path, such as
 * `realm_access.roles`.
 */
export function readClaimValues(claims: Claims, claim: string): string[] {
  // Anyone can enter any email address at a provider, so only a verified address identifies a user.
  if (claim === 'email' && !isVerified(claims)) return [];
  const value = Object.hasOwn(claims, claim) ? claims[claim] : claim.split('.').reduce(readMember, claims as unknown);
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/**
 * The name of a user: the verified email address, or else the subject. An unverified address is not used, because users
 * can enter any address.
 *
 * @throws SignInFailed like `readSubject`
 */
export function readName(claims: Claims): string {
  const { email } = claims;
  const subject = readSubject(claims);
  if (isVerified(claims) && typeof email === 'string' && NAME_PATTERN.test(email)) return email;
  return NAME_PATTERN.test(subject) ? subject : hash('sha256', subject, 'base64url');
}

/** Whether the email address is verified. Some providers send the value as text. */
export function isVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true';
}
