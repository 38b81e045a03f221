import { RETRY_SOON } from '../../../http/headers.ts';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { AddressLimiter } from '../../../http/address-limiter.ts';
import type { ClientAddress } from '../../../http/addresses.ts';
import { Refused } from '../http/refused.ts';
import { respond, type Handler } from '../http/respond.ts';
import { at } from '../at.ts';
import { isHttps } from '../sessions/browser-origin.ts';
import type { FailedAttempt } from '../failed-attempts.ts';
import { FlowCookie } from './flow-cookie.ts';
import { type Claims, type IdentityProvider, SignInFailed } from './identity-provider.ts';

/** Sign-ins that wait for the provider at once; more are refused. */
const MAX_WAITING = 20;

export interface SignedInWithOidc {
  /** The value of its `Set-Cookie`. */
  readonly cookie: string;
  /** The page to begin with, such as `/welcome`; undefined: the usual one. */
  readonly page?: string | undefined;
}

export interface OidcSignInSettings {
  readonly provider: IdentityProvider;
  /** The listener's, where people come back to. */
  readonly publicUrl: URL;
  /** Of the listener: where people go to sign in, where their provider sends them back to, and where the pages are. */
  readonly paths: { readonly start: string; readonly callback: string; readonly pages: string };
  /** The name of the cookie that carries what ties the provider's answer to the browser. */
  readonly flowCookie: string;
  /**
   * Starts a session for who came back.
   *
   * @throws SignInFailed
   */
  readonly signIn: (claims: Claims, req: IncomingMessage) => Promise<SignedInWithOidc>;
  readonly failedAttempt: FailedAttempt;
  readonly clientAddress: ClientAddress;
  readonly addressLimiter: AddressLimiter;
  readonly logger: Logger;
}

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/**
 * Signs people in with their own account. These are pages for browsers, and so no part of the API: they send people on,
 * to the provider and from there to the pages, which tell them from the fragment if it failed.
 */
export function createOidcSignIn(settings: OidcSignInSettings): Handler {
  const { provider, publicUrl, paths, signIn, addressLimiter, failedAttempt, clientAddress, logger } = settings;
  const flowCookie = new FlowCookie(settings.flowCookie);
  const pages = at(publicUrl, paths.pages);
  let waiting = 0;

  return async function signInWithOidc(req, res, next) {
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    if (req.method !== 'GET' || (path !== paths.start && path !== paths.callback)) return next();
    if (waiting >= MAX_WAITING) throw new Refused('overloaded', { headers: { 'Retry-After': RETRY_SOON } });
    waiting++;
    try {
      await (path === paths.start ? start(req, res) : comeBack(req, res));
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      await fail(req, res, error);
    } finally {
      waiting--;
    }
  };

  async function start(req: Request, res: Response): Promise<void> {
    const flow = provider.newFlow();
    const url = await provider.authorizationUrl(flow);
    redirect(res, url.href, [flowCookie.set(flow, isHttps(req, publicUrl))]);
  }

  async function comeBack(req: Request, res: Response): Promise<void> {
    const https = isHttps(req, publicUrl);
    const flow = flowCookie.read(req.headers.cookie, https);
    if (flow === null) throw new SignInFailed('rejected', 'nobody began to sign in here, or they took too long');
    const { remaining } = await addressLimiter.peek(clientAddress(req));
    // Each attempt is a call to the provider.
    if (remaining === 0) throw await failedAttempt(clientAddress(req));
    const claims = await provider.identify(req.originalUrl.slice(paths.callback.length), flow);
    const { cookie, page } = await signIn(claims, req);
    redirect(res, page === undefined ? pages : `${pages}#${page}`, [cookie, flowCookie.clear(https)]);
  }

  async function fail(req: Request, res: Response, error: SignInFailed): Promise<void> {
    if (error.failure !== 'unavailable') await failedAttempt(clientAddress(req));
    const { requestId } = res.locals;
    logger.warn({ requestId, reason: reasonOf(error) }, `a sign-in with OpenID Connect failed: ${error.message}`);
    res.locals.refusal = `oidc_${error.failure}`;
    redirect(res, `${pages}#sign-in-failed=${error.failure}`, [flowCookie.clear(isHttps(req, publicUrl))]);
  }
}

function redirect(res: Response, location: string, cookies: readonly string[]): void {
  respond(res, 303, { Location: location, 'Set-Cookie': cookies, 'Referrer-Policy': 'no-referrer' }, undefined);
}

/** In words only: the errors of the library hold answers of the provider, and so tokens. */
function reasonOf({ cause }: SignInFailed): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { error } = cause as { readonly error?: unknown };
  const inner = cause.cause instanceof Error ? cause.cause.message : undefined;
  return [cause.message, inner, error].filter((part) => typeof part === 'string').join(': ');
}
