import type { Key } from '../../registry/keys/key.ts';
import type { Account } from '../account.ts';

/** Who is signed in: an account, or somebody who only has a key, who may look and try but change nothing. */
export type SessionOf =
  { readonly method: 'link' | 'oidc'; readonly accountId: string } | { readonly method: 'key'; readonly keyId: string };

/** Somebody who is signed in to the portal. Times are milliseconds since the Unix epoch. */
export interface AccountSession {
  /** `ses_` and 20 random hexadecimal digits. Not a secret: the cookie is another one. */
  readonly id: string;
  readonly of: SessionOf;
  /** Where the sign-in came from, so that people recognise their own. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Accurate to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** A session with who it is of, as they are now: exactly one of `account` and `key`. */
export type SignedIn =
  | { readonly session: AccountSession; readonly account: Account; readonly key: null }
  | { readonly session: AccountSession; readonly account: null; readonly key: Key };

export interface PortalSignIn {
  readonly of: SessionOf;
  /** The name of the cookie: a secret is good for this one only. */
  readonly cookie: string;
  readonly address: string;
  readonly userAgent: string;
  readonly at: number;
}
