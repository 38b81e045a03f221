import type { Account, ProviderIdentity, SignUp } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { isVerified, readSubject, type Claims, SignInFailed } from '../../sign-in/oidc-sign-in.ts';
import { RegistryError } from '../../../domain/registry-error.ts';

/**
 * The account of a user that a provider has authenticated; with open sign-up a new one, if there is none.
 *
 * @throws SignInFailed `not_allowed` if there is none, `unavailable` if none can be created
 */
export async function oidcAccount(
  accounts: Accounts,
  identity: ProviderIdentity,
  signUp: SignUp,
  now: number,
): Promise<Account> {
  try {
    const account = await accounts.findByIdentity(identity, signUp, now);
    if (account !== null) return account;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    throw new SignInFailed('unavailable', `cannot create an account: ${error.message}`, { cause: error });
  }
  throw new SignInFailed('not_allowed', 'there is no active account for this identity');
}

/** Whether the account is new: it is its own owner, and this is its first sign-in. */
export function isNew({ id, owner, lastSignInAt }: Account): boolean {
  return owner === id && lastSignInAt === null;
}

/**
 * The configured issuer, which the library has compared with the token's.
 *
 * @throws SignInFailed as `readSubject`
 */
export function toProviderIdentity(claims: Claims, issuer: string): ProviderIdentity {
  const { email, name } = claims;
  return {
    issuer,
    subject: readSubject(claims),
    email: typeof email === 'string' ? email : null,
    emailVerified: isVerified(claims),
    name: typeof name === 'string' ? name : '',
  };
}
