import type { Logger } from 'pino';
import type { Page, PageRequest } from '../../storage/paging.ts';
import { isLinkToken } from '../../base/secrets.ts';
import type { Database } from '../../storage/database.ts';
import type { ChangeContext } from '../registry/audit-log.ts';
import { checkChanges } from '../registry/daily-limits.ts';
import type { CallerRefusal, CallerSource, RegisterCallerOptions } from '../../data-plane/boundary-types.ts';
import type { Credential } from '../../domain/credential.ts';
import type { TokenCaller } from '../../domain/token-caller.ts';
import type { Key } from '../registry/key.ts';
import { makeChange, type WriteContext } from '../registry/write-context.ts';
import type {
  Account,
  AccountFilter,
  AccountOrder,
  AccountPatch,
  AccountUpdateOptions,
  NamedAccount,
  NewAccount,
  ProviderIdentity,
  SignUp,
} from './account.ts';
import { AccountRequests } from './account-requests.ts';
import { createAccount, deleteAccount, updateAccount } from './account-changes.ts';
import { bindIdentity, findBoundAccount } from './account-identities.ts';
import { createAccountKey, type CreatedKey, type NewAccountKey } from './account-keys.ts';
import { createLink, type CreatedLink, readLink, spendLink } from './account-links.ts';
import { findAccountBy, findAccountsById, findAccountsByOwner, listAccounts } from './account-rows.ts';
import { PlanRequests } from './plan-requests.ts';
import { AccountSessions } from './account-sessions.ts';
import { forgetCaller } from './caller-deletion.ts';
import type { HistoryStore } from '../history/store/history-store.ts';
import { addCaller, type NewCaller, registerCaller } from './token-callers.ts';

const NEWEST_FIRST: AccountOrder = { by: 'createdAt', descending: true };

/**
 * The accounts of API consumers, who sign in to the portal.
 *
 * The rules are the same as in `Registry`. Every change is atomic and is written together with its audit entry. An
 * invalid request is rejected with a `RegistryError` and changes nothing. While the database is unavailable, calls are
 * rejected with `StoreUnavailable`.
 */
export class Accounts implements CallerSource {
  readonly sessions: AccountSessions;
  readonly planRequests: PlanRequests;
  readonly accountRequests: AccountRequests;
  readonly #database: Database;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.sessions = new AccountSessions(database, logger);
    this.planRequests = new PlanRequests(database);
    this.accountRequests = new AccountRequests(database);
  }

  /**
   * Creates an account. If operators have already created keys for the owner, the account can see these keys, but they
   * keep their plans and quotas. Refused with `owner_taken`, `email_taken`, `plan_not_found` and `limits_mismatch` (a
   * custom plan).
   */
  create(account: NewAccount, change: ChangeContext): Promise<Account> {
    return this.#change(change, (context) => createAccount(context, () => account));
  }

  get(id: string): Promise<Account | null> {
    return this.#database.read((queries) => findAccountBy(queries, 'id', id));
  }

  getByOwner(owner: string): Promise<Account | null> {
    return this.#database.read((queries) => findAccountBy(queries, 'owner', owner));
  }

  /** The accounts with these ids, by id. Ids without an account are left out. */
  getByIds(ids: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    return this.#database.read((queries) => findAccountsById(queries, ids));
  }

  /** The accounts of these owners, by owner. Owners without an account are left out. */
  findByOwners(owners: readonly string[]): Promise<ReadonlyMap<string, NamedAccount>> {
    return this.#database.read((queries) => findAccountsByOwner(queries, owners));
  }

  /**
   * Lists accounts. While a caller reads one page after another, an account that exists the whole time appears on exactly
   * one page, unless its sort value changes.
   */
  list(filter: AccountFilter, page: PageRequest, order: AccountOrder = NEWEST_FIRST): Promise<Page<Account>> {
    return this.#database.read((queries) => listAccounts(queries, filter, page, order));
  }

  /**
   * Updates an account. A new plan also applies to all active keys created for it. Disabling an account ends its sessions and
   * links, but its keys keep working. Refused with `account_not_found`, `conflict` (revision), `email_taken`,
   * `plan_not_found` and `limits_mismatch`.
   */
  update(id: string, patch: AccountPatch, change: ChangeContext, options: AccountUpdateOptions = {}): Promise<Account> {
    return this.#change(change, (context) => updateAccount(context, id, patch, options));
  }

  /**
   * Deletes an account with its sessions, links, identities, requests and webhooks, and revokes the keys created for it.
   * Keys that operators gave to its owner do not change.
   */
  delete(id: string, change: ChangeContext, options: AccountUpdateOptions = {}): Promise<void> {
    return this.#change(change, (context) => deleteAccount(context, id, options));
  }

  /**
   * Creates a link that can be used to sign in once. If the account has too many links, the new link replaces the link
   * that expires first. Refused with `account_not_found`, `conflict` if the account is disabled, and
   * `rate_limit_exceeded` if too many links were created within 24 hours.
   */
  createLink(id: string, lifetimeMs: number, change: ChangeContext): Promise<CreatedLink> {
    return this.#change(change, (context) => createLink(context, id, lifetimeMs));
  }

  /**
   * Finds the active account that a link would sign in to, without spending the link. Programs that scan mail also open
   * links, so opening a link must not spend it.
   */
  async readLink(token: string, now: number): Promise<Account | null> {
    return isLinkToken(token) ? this.#database.lookUp((queries) => readLink(queries, token, now)) : null;
  }

  /**
   * Spends a link. If several callers try at the same time, only one succeeds. Refused with `rate_limit_exceeded`,
   * without spending the link, if the account has signed in too often within 24 hours.
   *
   * @returns the active account of the link; null if the link is spent, expired or invalid
   */
  async spendLink(token: string, now: number): Promise<Account | null> {
    return isLinkToken(token) ? this.#database.transaction((tx) => spendLink(tx, token, now)) : null;
  }

  /**
   * Finds the active account of a user whom a provider has authenticated. An identity that is seen for the first time is
   * bound to the account with its verified email address, or, if sign-up is open, to a new account.
   *
   * @returns null if there is no account, or if it is disabled
   */
  async findByIdentity(identity: ProviderIdentity, signUp: SignUp, now: number): Promise<Account | null> {
    const change = { actor: 'system', reason: 'signed in by OpenID Connect', at: now };
    const bound = await this.#database.lookUp((queries) => findBoundAccount(queries, identity));
    const account = bound ?? (await this.#change(change, (context) => bindIdentity(context, identity, signUp)));
    return account?.status === 'active' ? account : null;
  }

  /**
   * Checks the limit on changes. Refused with `rate_limit_exceeded` if the signed-in account or key has made too many
   * changes within 24 hours.
   *
   * @param actor the id of the account or key
   * @param now ms since the Unix epoch
   */
  checkChanges(actor: string, now: number): Promise<void> {
    return this.#database.lookUp((queries) => checkChanges(queries, actor, now));
  }

  /**
   * Creates a key with the account's owner, plan and quota. Refused with `account_not_found`, `conflict` if the account
   * is disabled, `too_many_keys` if the account already has `maxKeys` usable keys (revoked, expired and rotated keys do
   * not count), and `rate_limit_exceeded` if too many keys were created within 24 hours.
   */
  createKey(
    id: string,
    key: NewAccountKey,
    { maxKeys }: { readonly maxKeys: number },
    change: ChangeContext,
  ): Promise<CreatedKey> {
    return this.#change(change, (context) => createAccountKey(context, id, key, maxKeys));
  }

  registerCaller(caller: TokenCaller, options: RegisterCallerOptions): Promise<Credential | CallerRefusal> {
    return registerCaller(this.#database, caller, options);
  }

  /**
   * Adds a caller before its first token. If its owner is an account's, it shares the account's quota. Refused with
   * `conflict` if the caller exists or the account is disabled, `plan_not_found` and `limits_mismatch`.
   */
  addCaller(caller: NewCaller, change: ChangeContext): Promise<Key> {
    return addCaller(this.#database, caller, change);
  }

  /**
   * Deletes a caller and what names it, so that it can be repeated if it is interrupted. Refused with `key_not_found`,
   * and with `conflict` for a key with a secret.
   */
  forgetCaller(history: Pick<HistoryStore, 'deleteKeys'>, id: string, change: ChangeContext): Promise<Key> {
    return forgetCaller(this.#database, history, id, change);
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}
