import { RegistryError } from '../../domain/registry-error.ts';
import { findTextFault } from '../../base/text.ts';
import { type Plan, createPlanNotFoundError, type StoredPlan } from '../../domain/plan.ts';
import { replaceKeys } from '../../http/redact-keys.ts';
import type { Order } from '../../storage/sorted-page.ts';

export type AccountStatus = 'active' | 'disabled';

/** A consumer of the API, who may sign in to the portal. Times are milliseconds since the Unix epoch. */
export interface Account {
  /** `acc_` and 20 random base62 characters. */
  readonly id: string;
  /** The owner of its keys: 1 to 128 printable ASCII characters, unique among accounts, never changed. */
  readonly owner: string;
  readonly name: string;
  /** Printable ASCII in lower case, unique among accounts. */
  readonly email: string | null;
  readonly status: AccountStatus;
  /**
   * The plan of keys created for the account. It is never a custom plan, because each key on a custom plan needs its
   * own limits.
   */
  readonly plan: StoredPlan['id'];
  /**
   * The account's own id. All keys created for the account share the counters, strikes and bans of this quota, so
   * creating another key does not raise the limits.
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
  /** The revision that the account must have; otherwise the update is refused with `conflict`. */
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

/** A user whose identity an OpenID provider has confirmed. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has verified the email address. */
  readonly emailVerified: boolean;
  readonly name: string;
}

export interface SignUp {
  /**
   * The policy for users without an account. `invite` refuses them. `request` refuses them too, but they can request an
   * account. `open` creates an account.
   */
  readonly policy: 'invite' | 'request' | 'open';
  /** The plan of a new account. */
  readonly plan: string;
}

const EMAIL = /^[!-?A-~]{1,64}@[!-?A-~]{1,189}$/;
const MAX_NAME_LENGTH = 128;

/**
 * Converts an email address to the form that is stored and compared, which is lower case. Returns null if an account
 * cannot have the address. Only ASCII is allowed: the lower case of some other letters is ASCII, so that one person's
 * address could become another person's.
 */
export function normalizeEmail(text: string): string | null {
  return EMAIL.test(text) ? text.toLowerCase() : null;
}

/**
 * Cleans a name from an external system, so that an account can have it. The result is empty if the name is forbidden, or
 * if it has no usable characters.
 */
export function cleanName(text: string): string {
  if (findTextFault(text) !== null) return '';
  const characters = Array.from(
    replaceKeys(text)
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  );
  return characters.slice(0, MAX_NAME_LENGTH).join('').trim();
}

/**
 * @throws RegistryError `plan_not_found`, or `limits_mismatch` for a custom plan, because its keys need their own
 * limits
 */
export function checkAccountPlan(id: string, plan: Plan | null): void {
  if (plan === null) throw createPlanNotFoundError(id);
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
