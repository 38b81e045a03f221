import { hash } from 'node:crypto';
import type { OidcRoles } from '../sessions/roles.ts';
import type { Identity } from '../sessions/session.ts';
import { SignInFailed } from './identity-provider.ts';

/** What a provider says of somebody, from its ID token and its userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Printable ASCII that the audit log can be searched for. */
const NAME = /^[!-~]{1,120}$/;

/** @throws SignInFailed `not_allowed` if no value of the claim gives a role */
export function identityOf(claims: Claims, settings: OidcRoles & { readonly claim: string }): Identity {
  const { claim, issuer, admins, viewers } = settings;
  const values = claimValues(claims, claim).filter((value) => admins.includes(value) || viewers.includes(value));
  const name = `oidc:${nameOf(claims)}`;
  if (values.length > 0) return { method: 'oidc', name, issuer, claims: values };
  throw new SignInFailed('not_allowed', `${name} has no value of the claim ${claim} that admin.oidc gives a role`);
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

/** The address if it is verified, else the subject, which nobody chooses. */
function nameOf(claims: Claims): string {
  const { email, sub } = claims;
  if (isVerified(claims) && typeof email === 'string' && NAME.test(email)) return email;
  const subject = String(sub);
  return NAME.test(subject) ? subject : hash('sha256', subject, 'base64url');
}

/** Some providers send it as text. */
function isVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true';
}
