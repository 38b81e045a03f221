import type { Account, ProviderIdentity, SignUp } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { isVerified, readSubject, type Claims, SignInFailed } from '../../sign-in/oidc-sign-in.ts';
import { RegistryError } from '../../../domain/registry-error.ts';

/**
 * Finds the account of a user that a provider has authenticated. With open sign-up, creates an account if there is
 * none.
 *
 * @throws SignInFailed `not_allowed` if there is no active account, `unavailable` if an account cannot be created
 */
export async function findOidcAccount(
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

/** Whether sign-up has just created the account: it is its own owner, and nobody has signed in to it yet. */
export function isNewAccount({ id, owner, lastSignInAt }: Account): boolean {
  return owner === id && lastSignInAt === null;
}

/**
 * @param issuer the configured issuer; the library has already compared it with the token's issuer
 * @throws SignInFailed as `readSubject` does
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
