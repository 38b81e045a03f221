import type { Selectable } from 'kysely';
import type { AccountRequestTable, Queries, Tx } from '../../storage/tables.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { createRandomId } from '../../base/secrets.ts';
import { DAY_MS } from '../../base/time.ts';
import { decodeSequence, type Page, toPage, type PageRequest } from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import { appendAuditEntry, type ChangeContext } from '../registry/audit-log.ts';
import { makeChange, type WriteContext } from '../registry/write-context.ts';
import { publish } from '../events/event-outbox.ts';
import { createGatewayEvent } from '../events/gateway-events.ts';
import type { Account } from './account.ts';
import { createAccount } from './account-changes.ts';
import { createLink, type CreatedLink } from './account-links.ts';

export type AccountRequestStatus = 'open' | 'approved' | 'declined';

/**
 * A request for an account, by somebody who has none. An operator decides. Times are milliseconds since the Unix epoch.
 */
export interface AccountRequest {
  /** `acr_` and 20 random base62 characters. */
  readonly id: string;
  readonly name: string;
  /** The email address as given. Nothing proves that it belongs to the person who asks. */
  readonly email: string;
  readonly purpose: string;
  readonly plan: string;
  readonly status: AccountRequestStatus;
  readonly reason: string | null;
  /** The account that was created; null unless the request was approved. */
  readonly accountId: string | null;
  readonly createdAt: number;
  /** `decidedAt` and `decidedBy` are null while the request is open. */
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
}

type NewAccountRequest = Pick<AccountRequest, 'name' | 'email' | 'purpose' | 'plan'>;

interface Approval {
  readonly request: AccountRequest;
  readonly account: Account;
  /** A link that can be used to sign in to the account once. */
  readonly link: CreatedLink;
}

/** Strangers can create these rows, so their number is limited, and old ones are deleted. */
export const MAX_OPEN_REQUESTS = 1000;
export const MAX_DECIDED_REQUESTS = 1000;
const RETENTION_MS = 90 * DAY_MS;

const REQUESTS_LOCK = 'account requests';

/** Requests for an account. The errors are those of `Accounts`. */
export class AccountRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Newest first. */
  list(status: AccountRequestStatus | undefined, page: PageRequest): Promise<Page<AccountRequest>> {
    return this.#database.read((queries) => listRequests(queries, status, page));
  }

  /** Finds the accounts that already have these email addresses. @returns ids of accounts, by address */
  findAccountIds(emails: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#database.read((queries) => findAccountIdsByEmail(queries, emails));
  }

  /**
   * Stores a request. Nothing is looked up by the email address, so that neither the response nor its timing shows
   * whether the address is known.
   *
   * @returns false if too many requests are open
   */
  create(request: NewAccountRequest, change: ChangeContext): Promise<boolean> {
    return this.#change(change, async (context) => {
      const { tx, dialect } = context;
      await dialect.lock(tx, REQUESTS_LOCK);
      if ((await countOpenRequests(tx)) >= MAX_OPEN_REQUESTS) return false;
      const id = createRandomId('acr');
      await tx
        .insertInto('account_requests')
        .values({ id, ...request, status: 'open', created_at: change.at })
        .execute();
      await publish(context, [
        createGatewayEvent('account_request.created', { id, ...request }, { subject: id, owner: null, at: change.at }),
      ]);
      return true;
    });
  }

  /**
   * Creates the account, and a link that signs in to it. Refused with `account_request_not_found`, `conflict` (already
   * decided) and the errors of `Accounts.create`.
   *
   * @param linkLifetimeMs see `createLink`
   */
  approve(id: string, fields: ApprovedFields, linkLifetimeMs: number, change: ChangeContext): Promise<Approval> {
    return this.#change(change, async (context) => {
      const request = await lockOpenRequest(context, id);
      const { name, email } = request;
      const { owner, plan = request.plan } = fields;
      const account = await createAccount(context, (accountId) => ({ owner: owner ?? accountId, name, email, plan }));
      const link = await createLink(context, account.id, linkLifetimeMs);
      return { request: await decide(context, request, 'approved', account.id), account, link };
    });
  }

  decline(id: string, change: ChangeContext): Promise<AccountRequest> {
    return this.#change(change, async (context) =>
      decide(context, await lockOpenRequest(context, id), 'declined', null),
    );
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}

/** The fields in which an approved account may differ from the request. */
interface ApprovedFields {
  /** Null: the account gets a new owner of its own. */
  readonly owner: string | null;
  /** If omitted, the account gets the plan of the request. */
  readonly plan?: string | undefined;
}

/** Finds an open request and locks it, so that no other decision is possible until this transaction ends. */
async function lockOpenRequest({ tx, dialect }: WriteContext, id: string): Promise<AccountRequest> {
  await dialect.lock(tx, REQUESTS_LOCK);
  const row = await tx.selectFrom('account_requests').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new RegistryError('account_request_not_found', `there is no account request ${id}`);
  if (row.status !== 'open') throw new RegistryError('conflict', `request ${id} is already ${row.status}`);
  return toAccountRequest(row);
}

async function decide(
  context: WriteContext,
  request: AccountRequest,
  status: 'approved' | 'declined',
  accountId: string | null,
): Promise<AccountRequest> {
  const { actor, reason, at } = context.change;
  const decision = { status, reason, account_id: accountId, decided_at: at, decided_by: actor };
  await context.tx.updateTable('account_requests').set(decision).where('id', '=', request.id).execute();
  const action = status === 'approved' ? 'account_request.approve' : 'account_request.decline';
  // The audit log is permanent, so it gets only the name of people who may never get an account.
  const { name, plan } = request;
  const after = { status, accountId, name, plan };
  await appendAuditEntry(context, request.id, action, { before: { ...after, status: 'open', accountId: null }, after });
  return { ...request, status, reason, accountId, decidedAt: at, decidedBy: actor };
}

async function countOpenRequests(tx: Tx): Promise<number> {
  const open = tx.selectFrom('account_requests').where('status', '=', 'open');
  const { count } = await open.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes all requests that are older than 90 days, and decided requests beyond the latest `MAX_DECIDED_REQUESTS`. */
export function pruneAccountRequests(database: Database, now: number): Promise<void> {
  return database.transaction(async (tx) => {
    await tx
      .deleteFrom('account_requests')
      .where('created_at', '<', now - RETENTION_MS)
      .execute();
    const decided = tx.selectFrom('account_requests').select('sequence').where('status', '!=', 'open');
    const last = await decided.orderBy('sequence', 'desc').offset(MAX_DECIDED_REQUESTS).limit(1).executeTakeFirst();
    if (last === undefined) return;
    await tx
      .deleteFrom('account_requests')
      .where('status', '!=', 'open')
      .where('sequence', '<=', last.sequence)
      .execute();
  });
}

async function findAccountIdsByEmail(
  queries: Queries,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  const rows = await queries.selectFrom('accounts').select(['id', 'email']).where('email', 'in', emails).execute();
  return new Map(rows.map(({ id, email }) => [email ?? '', id]));
}

async function listRequests(
  queries: Queries,
  status: AccountRequestStatus | undefined,
  page: PageRequest,
): Promise<Page<AccountRequest>> {
  let query = queries.selectFrom('account_requests').selectAll();
  if (page.cursor !== undefined) query = query.where('sequence', '<', decodeSequence('account-requests', page.cursor));
  if (status !== undefined) query = query.where('status', '=', status);
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toPage('account-requests', rows, page.limit, (row) => row.sequence, toAccountRequest);
}

function toAccountRequest(row: Selectable<AccountRequestTable>): AccountRequest {
  const { id, name, email, purpose, plan, reason } = row;
  return {
    id,
    name,
    email,
    purpose,
    plan,
    reason,
    status: row.status as AccountRequestStatus,
    accountId: row.account_id,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
  };
}
