import { RegistryError } from '../../domain/registry-error.ts';
import { textFault } from '../../base/text.ts';
import { type Plan, planNotFound, type StoredPlan } from '../../domain/plan.ts';
import { withoutKeys } from '../../http/redact-keys.ts';
import type { Order } from '../../storage/sorted-page.ts';

export type AccountStatus = 'active' | 'disabled';

/** A consumer of the API, who may sign in to the portal. Times are milliseconds since the Unix epoch. */
export interface Account {
  /** `acc_` and 20 random base62 characters. */
  readonly id: string;
  /** The owner that its keys carry: 1 to 128 printable ASCII characters, unique among accounts, never changed. */
  readonly owner: string;
  readonly name: string;
  /** Printable ASCII in lower case, unique among accounts. */
  readonly email: string | null;
  readonly status: AccountStatus;
  /** The plan of keys created for it. Never a custom one, whose keys each have their own limits. */
  readonly plan: StoredPlan['id'];
  /**
   * Its own id. All keys created for it share these counters, strikes and bans: another key does not raise the limits.
   */
  readonly quotaId: string;
  readonly createdAt: number;
  readonly lastSignInAt: number | null;
  /** Revision, as in `StoredPlan`. Signing in does not change it. */
  readonly revision: number;
}

/** The account of a key's owner, as shown beside the key. */
export type NamedAccount = Pick<Account, 'id' | 'name' | 'email'>;

export type NewAccount = Pick<Account, 'owner' | 'name' | 'email' | 'plan'>;

/** Omitted fields do not change. */
export type AccountPatch = Partial<Pick<Account, 'name' | 'email' | 'plan' | 'status'>>;

export interface AccountUpdateOptions {
  /** Only if the account is at this revision, else `conflict`. */
  readonly revision?: number | undefined;
}

export interface AccountFilter {
  readonly owner?: string | undefined;
  readonly status?: AccountStatus | undefined;
  readonly plan?: string | undefined;
  /** Part of id, owner, name or email, case-insensitive. */
  readonly search?: string | undefined;
}

export type AccountSort = 'createdAt' | 'name' | 'owner' | 'email' | 'plan' | 'status' | 'lastSignInAt';

export type AccountOrder = Order<AccountSort>;

/** Somebody whom an OpenID provider vouches for. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider vouches for the address, too. */
  readonly emailVerified: boolean;
  readonly name: string;
}

export interface SignUp {
  /** For users without an account: `invite` refuses them, `request` too, but they can ask for one; `open` creates one. */
  readonly policy: 'invite' | 'request' | 'open';
  /** The plan of a new account. */
  readonly plan: string;
}

const EMAIL = /^[!-?A-~]{1,64}@[!-?A-~]{1,189}$/;
const MAX_NAME_LENGTH = 128;

/**
 * An address as it is stored and compared: in lower case; null if an account cannot have it. ASCII only: other Unicode
 * letters become ASCII in lower case, and would turn one person's address into another's.
 */
export function normalEmail(text: string): string | null {
  return EMAIL.test(text) ? text.toLowerCase() : null;
}

/** A name from an external system, made fit for an account; empty if nothing is left, or if it is forbidden. */
export function cleanName(text: string): string {
  if (textFault(text) !== null) return '';
  const characters = Array.from(
    withoutKeys(text)
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  );
  return characters.slice(0, MAX_NAME_LENGTH).join('').trim();
}

/** @throws RegistryError `plan_not_found`, or `limits_mismatch` for a custom plan, whose keys have their own limits */
export function checkAccountPlan(id: string, plan: Plan | null): void {
  if (plan === null) throw planNotFound(id);
  if (!plan.custom) return;
  throw new RegistryError('limits_mismatch', `plan ${id} is custom: an account needs a plan with limits`);
}

/** @throws RegistryError `conflict` */
export function checkActive({ id, status }: Account): void {
  if (status !== 'active') throw new RegistryError('conflict', `account ${id} is ${status}: enable it first`);
}

export function accountNotFound(id: string): RegistryError {
  return new RegistryError('account_not_found', `there is no account ${id}`);
}
