import type { JsonObject } from '../../base/json.ts';
import type { Millis } from '../../base/time.ts';
import { isCallerValue, type TokenCaller } from '../../domain/token-caller.ts';
import type { TokenAlgorithm } from './signing-key.ts';
import type { TokenConfig } from './token-config.ts';

/** How far the clocks of issuer and gateway may differ, in seconds. */
const LEEWAY_S = 60;

/** `typ` of access tokens (RFC 9068, 2.1), and of tokens that name no purpose. Media types ignore case (RFC 7515, 4.1.9). */
const TYPES = ['jwt', 'at+jwt'];

/**
 * Claims that only other kinds of tokens have: ID tokens (OpenID Connect Core 1.0, 3.3.2.11), logout tokens
 * (Back-Channel Logout 1.0, 2.4), and tokens that only the holder of a key may use (RFC 7800).
 */
const FOREIGN_CLAIMS: Readonly<Record<string, string>> = {
  at_hash: 'is an ID token: send the access token',
  c_hash: 'is an ID token: send the access token',
  events: 'is a logout or event token',
  cnf: 'is bound to a key or certificate: bearer tokens are accepted only',
};

/** The header of a token that the rules allow. */
export interface TokenHeader {
  readonly algorithm: TokenAlgorithm;
  readonly kid: string | undefined;
}

/** @returns the header, or a reason why it is refused, as a phrase that follows “The token” */
export function checkHeader({ alg, kid, typ, crit }: JsonObject, { algorithms }: TokenConfig): TokenHeader | string {
  const algorithm = algorithms.find((name) => name === alg);
  if (algorithm === undefined) return 'is signed with an algorithm that is not accepted';
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(toMediaSubtype(typ)))) {
    return 'is of another type than JWT or at+jwt';
  }
  if (crit !== undefined) return 'requires an extension (crit) that is not supported';
  if (kid !== undefined && typeof kid !== 'string') return 'has a kid that is not text';
  return { algorithm, kid };
}

function toMediaSubtype(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

/** The caller that the claims name, or why they are refused. */
export type ClaimsResult =
  | {
      readonly caller: TokenCaller;
      readonly scopes: ReadonlySet<string>;
      readonly expiresAt: Millis;
      readonly validUntil: Millis;
    }
  | { readonly fault: string; readonly isExpired: boolean };

/** Checks the claims of a token whose signature and issuer are verified. */
export function checkClaims(claims: JsonObject, config: TokenConfig, now: Millis): ClaimsResult {
  const fault = kindFault(claims, config) ?? audienceFault(claims, config) ?? timeFault(claims, now / 1000);
  if (fault !== null) return { fault, isExpired: false };
  const caller = readCaller(claims, config);
  if (typeof caller === 'string') return { fault: caller, isExpired: false };
  const expiresAt = (claims['exp'] as number) * 1000;
  const validUntil = expiresAt + LEEWAY_S * 1000;
  if (validUntil < now) return { fault: 'has expired', isExpired: true };
  return { caller, scopes: readScopes(claims), expiresAt, validUntil };
}

/**
 * The scopes of `scope` (RFC 9068, 2.2.3) and `scp`. Either can be text with spaces or a list, because identity providers
 * differ.
 */
function readScopes({ scope, scp }: JsonObject): ReadonlySet<string> {
  const lists = [scope, scp].map((claim): readonly unknown[] => {
    if (typeof claim === 'string') return claim.split(' ');
    return Array.isArray(claim) ? claim : [];
  });
  return new Set(lists.flat().filter((each) => typeof each === 'string' && each !== '') as string[]);
}

function kindFault(claims: JsonObject, { audienceClaim }: TokenConfig): string | null {
  for (const [name, fault] of Object.entries(FOREIGN_CLAIMS)) if (Object.hasOwn(claims, name)) return fault;
  const { token_use: use, typ } = claims;
  if (use === undefined ? audienceClaim === 'client_id' : use !== 'access') return 'is not an access token (token_use)';
  return typ === undefined || typ === 'Bearer' ? null : 'is not an access token (typ)';
}

function audienceFault(claims: JsonObject, { audience, audienceClaim }: TokenConfig): string | null {
  const value = claims[audienceClaim];
  const named: readonly unknown[] = audienceClaim === 'aud' && Array.isArray(value) ? value : [value];
  const isMeant = audience.some((one) => named.includes(one));
  return isMeant ? null : `is not for this API (${audienceClaim})`;
}

function timeFault({ exp, nbf, iat }: JsonObject, nowS: number): string | null {
  if (!isTime(exp)) return 'does not say when it expires (exp)';
  for (const time of [nbf, iat]) {
    if (time === undefined) continue;
    if (!isTime(time)) return 'has a time (nbf, iat) that is not a number';
    if (time > nowS + LEEWAY_S) return 'is not valid yet (nbf, iat)';
  }
  return null;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Longest `sub` (OpenID Connect Core 1.0, section 2). */
const MAX_SUBJECT_LENGTH = 255;
/** Text that may be the id of a plan. A database refuses to look for some other texts. */
const PLAN = /^[!-~]{1,64}$/;

function readCaller(claims: JsonObject, { name, issuer, caller, planClaim }: TokenConfig): TokenCaller | string {
  const claim = caller.find((each) => Object.hasOwn(claims, each));
  if (claim === undefined) return `does not name its caller (${caller.join(', ')})`;
  const value = claims[claim];
  if (typeof value !== 'string' || !isCallerValue(value)) {
    return `names its caller (${claim}) in a form that is not accepted`;
  }
  return {
    name,
    issuer,
    claim,
    value,
    subject: readSubject(claims['sub']),
    planFromClaim: planClaim === undefined ? null : readPlan(claims[planClaim]),
  };
}

function readSubject(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT_LENGTH ? value : null;
}

function readPlan(value: unknown): string | null {
  return typeof value === 'string' && PLAN.test(value) ? value : null;
}
