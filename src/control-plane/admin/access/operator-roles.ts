import type { OperatorToken, TokenList } from './admin-tokens.ts';
import { readClaimValues, readName, type Claims, SignInFailed } from '../../sign-in/oidc-sign-in.ts';
import type { Identity } from './console-sessions.ts';

/**
 * The roles of people who sign in by OpenID Connect. A person's role depends on the values of a claim, such as the names
 * of groups.
 */
export interface OidcRoles {
  readonly issuer: string;
  readonly claim: string;
  readonly admins: readonly string[];
  readonly viewers: readonly string[];
}

/** Finds the user's role in the current configuration. Returns undefined if the user no longer has access. */
export type FindRole = (identity: Identity) => OperatorToken['role'] | undefined;

export function createFindRole(tokens: TokenList, oidc: OidcRoles | null): FindRole {
  return function findRole(identity) {
    if (identity.method !== 'oidc') {
      const role = tokens.findByHash(identity.name, identity.tokenHash)?.role;
      return role === 'publisher' ? undefined : role;
    }
    if (identity.issuer !== oidc?.issuer) return undefined;
    if (identity.claims.some((claim) => oidc.admins.includes(claim))) return 'admin';
    return identity.claims.some((claim) => oidc.viewers.includes(claim)) ? 'viewer' : undefined;
  };
}

/** @throws SignInFailed `not_allowed` if no value of the claim grants a role; otherwise as `readName` does */
export function toIdentity(claims: Claims, roles: OidcRoles): Identity {
  const { claim, issuer, admins, viewers } = roles;
  const values = readClaimValues(claims, claim).filter((value) => admins.includes(value) || viewers.includes(value));
  const name = `oidc:${readName(claims)}`;
  if (values.length > 0) return { method: 'oidc', name, issuer, claims: values };
  throw new SignInFailed(
    'not_allowed',
    `the claim ${claim} of ${name} has no value listed in admin.oidc.admins or admin.oidc.viewers`,
  );
}
