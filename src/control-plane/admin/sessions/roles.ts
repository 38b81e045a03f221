import type { OperatorToken } from '../access/admin-token.ts';
import type { TokenList } from '../access/token-list.ts';
import type { Identity } from './session.ts';

/** Who may sign in by OpenID Connect: values of a claim, such as the names of groups. */
export interface OidcRoles {
  readonly issuer: string;
  readonly claim: string;
  readonly admins: readonly string[];
  readonly viewers: readonly string[];
}

/** The role that the configuration gives to somebody now; undefined if it does not let them in any more. */
export type RoleOf = (identity: Identity) => OperatorToken['role'] | undefined;

export function createRoleOf(tokens: TokenList, oidc: OidcRoles | null): RoleOf {
  return function roleOf(identity) {
    if (identity.method !== 'oidc') {
      const role = tokens.byHash(identity.name, identity.tokenHash)?.role;
      return role === 'publisher' ? undefined : role;
    }
    if (identity.issuer !== oidc?.issuer) return undefined;
    if (identity.claims.some((claim) => oidc.admins.includes(claim))) return 'admin';
    return identity.claims.some((claim) => oidc.viewers.includes(claim)) ? 'viewer' : undefined;
  };
}
