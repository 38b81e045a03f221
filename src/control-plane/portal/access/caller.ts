import type { Account } from '../../accounts/account.ts';
import type { SignedIn } from '../../accounts/account-sessions.ts';
import { Refused } from '../../api-server/refused.ts';

/** A caller of the portal. */
export interface PortalCaller {
  /** The id of the account, or of the key: recorded as the actor in the audit log. */
  readonly name: string;
  /** Null for requests that need no session. */
  readonly signedIn: SignedIn | null;
}

export const NOBODY: PortalCaller = { name: '', signedIn: null };

export function toCaller(signedIn: SignedIn): PortalCaller {
  const { account, key } = signedIn;
  return { name: account === null ? key.id : account.id, signedIn };
}

/** Gets the session for an operation that needs one. It cannot be missing, because it was checked before routing. */
export function requireSession({ signedIn }: PortalCaller): SignedIn {
  if (signedIn === null) throw new Error('routing comes after authentication');
  return signedIn;
}

/** Gets the account of the session. @throws Refused `account_needed` for the session of a key */
export function requireAccount(caller: PortalCaller): Account {
  const { account } = requireSession(caller);
  if (account === null) throw new Refused('account_needed');
  return account;
}
