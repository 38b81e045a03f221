import { hash } from 'node:crypto';

/** A caller that a valid access token names. */
export interface TokenCaller {
  /** `tokens[].name`. */
  readonly name: string;
  /** `tokens[].issuer`. */
  readonly issuer: string;
  /** Name of the claim that names the caller, such as azp. */
  readonly claim: string;
  readonly value: string;
  /**
   * `sub` of the token, or null. With the issuer, it is the identity with which an account signs in. It is read only
   * when the caller is created.
   */
  readonly subject: string | null;
  /** The plan that `planClaim` names, if the token has one. It is read only when the caller is created. */
  readonly planFromClaim: string | null;
}

/** The caller of a key of kind `token`, as the admin API and the request path see it. */
export interface KeyToken {
  /** `tokens[].name`. */
  readonly name: string;
  /** The value of the claim. */
  readonly caller: string;
  readonly claim: string;
}

/** An issuer whose access tokens are accepted: an entry of `tokens`. */
export interface TokenIssuer {
  readonly name: string;
  readonly issuer: string;
  /** The claims that name callers; the first that a token has counts. */
  readonly caller: readonly string[];
  /** The plan of callers that are new; undefined: `portal.plan`. */
  readonly plan?: string | undefined;
}

export const MAX_CALLER_LENGTH = 120;
const CALLER = /^[!-~](?:[ -~]*[!-~])?$/;
const SECRET = /tg_live_[0-9A-Za-z]{38}/;

/**
 * Whether a claim's value can name a caller: 1 to 120 printable ASCII characters. Spaces at either end are not allowed,
 * because services read the owner from a header, and a header's value does not keep them. Nor may it contain a secret.
 */
export function isCallerValue(value: string): boolean {
  return value.length <= MAX_CALLER_LENGTH && CALLER.test(value) && !SECRET.test(value);
}

/**
 * The hash of a caller's key: SHA-256 of `token`, NUL, the issuer, NUL, the name of the claim, NUL, the claim's value;
 * base64url. No header can contain NUL, so no client can send a secret with this hash.
 */
export function hashCaller({ issuer, claim, value }: Pick<TokenCaller, 'issuer' | 'claim' | 'value'>): string {
  return hash('sha256', ['token', issuer, claim, value].join('\0'), 'base64url');
}

/** The owner of a caller that belongs to no account. */
export function callerOwner({ name, value }: Pick<TokenCaller, 'name' | 'value'>): string {
  return `${name}:${value}`;
}
