import { hash } from 'node:crypto';
import { type Claims, SignInFailed } from './identity-provider.ts';

/** Printable ASCII that the audit log can be searched for. */
const NAME = /^[!-~]{1,120}$/;

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[ -~]{1,255}$/;

/**
 * The name that the provider has for somebody, which never changes.
 *
 * @throws SignInFailed `rejected` if it is none that a provider may give
 */
export function subjectOf({ sub }: Claims): string {
  if (typeof sub === 'string' && SUBJECT.test(sub)) return sub;
  throw new SignInFailed('rejected', 'the subject (sub) is not 1 to 255 printable ASCII characters');
}

/** A claim's values; a claim that is not found as a whole is a path of names, such as `realm_access.roles`. */
export function claimValues(claims: Claims, claim: string): string[] {
  // Anybody may tell a provider an address, so only one that it has verified says who they are.
  if (claim === 'email' && !isVerified(claims)) return [];
  const value = Object.hasOwn(claims, claim) ? claims[claim] : claim.split('.').reduce(memberOf, claims as unknown);
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/**
 * The address if it is verified, else the subject, which nobody chooses.
 *
 * @throws SignInFailed as `subjectOf`
 */
export function nameOf(claims: Claims): string {
  const { email } = claims;
  const subject = subjectOf(claims);
  if (isVerified(claims) && typeof email === 'string' && NAME.test(email)) return email;
  return NAME.test(subject) ? subject : hash('sha256', subject, 'base64url');
}

/** Some providers send it as text. */
export function isVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true';
}
