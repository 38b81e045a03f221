import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { ChangeContext } from '../registry/audit/audit-entry.ts';
import type { Key } from '../registry/keys/key.ts';
import type { Page, PageRequest } from '../registry/paging.ts';
import type {
  Account,
  AccountFilter,
  AccountPatch,
  AccountUpdateOptions,
  NewAccount,
  ProviderIdentity,
  SignUp,
} from './account.ts';
import type { NewAccountKey } from './account-keys.ts';
import { AccountSessions } from './account-sessions.ts';
import { PlanRequests } from './plan-requests.ts';

/**
 * The accounts of API consumers, who sign in to the portal.
 *
 * As in `Registry`: every change is atomic and is written together with its audit entry; an invalid request is rejected
 * with a `RegistryError` and changes nothing; what the database cannot do now is rejected with `StoreUnavailable`.
 */
export class Accounts {
  readonly sessions: AccountSessions;
  readonly planRequests: PlanRequests;
  readonly #database: Database;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.sessions = new AccountSessions(database, logger);
    this.planRequests = new PlanRequests(database);
  }

  /**
   * The owner may have keys already, made by operators: the account then sees them, and they keep their plans and
   * quotas. Refused with `owner_taken`, `email_taken`, `plan_not_found` and `limits_mismatch` (a custom plan).
   */
  create(_account: NewAccount, _change: ChangeContext): Promise<Account> {
    return todo(this.#database);
  }

  get(_id: string): Promise<Account | null> {
    return todo(this.#database);
  }

  /** Newest first. Pages neither repeat nor skip an account that existed all along. */
  list(_filter: AccountFilter, _page: PageRequest): Promise<Page<Account>> {
    return todo(this.#database);
  }

  /**
   * A new plan is also that of all keys made for the account that are not revoked. Disabling ends its sessions and
   * links; its keys go on. Refused with `account_not_found`, `conflict` (revision), `email_taken`, `plan_not_found` and
   * `limits_mismatch`.
   */
  update(
    _id: string,
    _patch: AccountPatch,
    _change: ChangeContext,
    _options: AccountUpdateOptions = {},
  ): Promise<Account> {
    return todo(this.#database);
  }

  /**
   * Revokes the keys made for it, and deletes its sessions, links, identities and requests. Keys that operators gave
   * its owner stay as they are.
   */
  delete(_id: string, _change: ChangeContext, _options: AccountUpdateOptions = {}): Promise<void> {
    return todo(this.#database);
  }

  /**
   * Makes a link that signs in once. The account's links are bounded: the one that expires first makes room. Refused
   * with `account_not_found`, and `conflict` if the account is disabled.
   *
   * @returns its token, `once_` and 43 characters, which is kept nowhere
   */
  createLink(_id: string, _lifetimeMs: number, _change: ChangeContext): Promise<{ token: string; expiresAt: number }> {
    return todo(this.#database);
  }

  /** Whom a link would sign in, without spending it: programs that scan mail open links, too. */
  readLink(_token: string, _now: number): Promise<Account | null> {
    return todo(this.#database);
  }

  /** Spends a link: of several who try, one succeeds. @returns null if it is spent, too old, or no link at all */
  spendLink(_token: string, _now: number): Promise<Account | null> {
    return todo(this.#database);
  }

  /**
   * The active account of somebody whom a provider vouches for. An identity seen for the first time is bound to the
   * account that has its verified address, or, with open sign-up, to a new one.
   *
   * @returns null if there is none, or it is disabled
   */
  findByIdentity(_identity: ProviderIdentity, _signUp: SignUp, _now: number): Promise<Account | null> {
    return todo(this.#database);
  }

  /**
   * Makes a key with the account's owner, plan and quota. Refused with `account_not_found`, `conflict` if the account
   * is disabled, and `too_many_keys` if it has `maxKeys` that can be used: keys that are revoked, expired or replaced by
   * rotation do not count.
   *
   * @returns with the secret, which is kept nowhere
   */
  createKey(
    _id: string,
    _key: NewAccountKey,
    _options: { readonly maxKeys: number },
    _change: ChangeContext,
  ): Promise<{ key: Key; secret: string }> {
    return todo(this.#database);
  }
}

function todo(_database: Database): never {
  throw new Error('not yet');
}
