import { claimValues, nameOf } from '../../api/oidc/read-claims.ts';
import { type Claims, SignInFailed } from '../../api/oidc/identity-provider.ts';
import type { OidcRoles } from './roles.ts';
import type { Identity } from './session.ts';

/** @throws SignInFailed `not_allowed` if no value of the claim gives a role, or as `nameOf` */
export function identityOf(claims: Claims, settings: OidcRoles): Identity {
  const { claim, issuer, admins, viewers } = settings;
  const values = claimValues(claims, claim).filter((value) => admins.includes(value) || viewers.includes(value));
  const name = `oidc:${nameOf(claims)}`;
  if (values.length > 0) return { method: 'oidc', name, issuer, claims: values };
  throw new SignInFailed('not_allowed', `${name} has no value of the claim ${claim} that admin.oidc gives a role`);
}
