import type { Selectable } from 'kysely';
import type { PlanRequestTable, Queries, Tx } from '../../storage/tables.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { createRandomId } from '../../base/secrets.ts';
import { decodeSequence, type Page, toPage, type PageRequest } from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import { appendAuditEntry, type ChangeContext } from '../registry/audit-log.ts';
import { makeChange, type WriteContext } from '../registry/write-context.ts';
import { publish } from '../events/event-outbox.ts';
import { findPlanById } from '../registry/plan-rows.ts';
import { updateAccount } from './account-changes.ts';
import { type Account, checkAccountPlan, checkActive } from './account.ts';
import { lockAccount } from './account-rows.ts';
import type { NewEvent } from '../events/event.ts';
import { createGatewayEvent } from '../events/gateway-events.ts';

type PlanRequestStatus = 'open' | 'approved' | 'declined';

/** A request of an account for another plan. An operator decides. Times are milliseconds since the Unix epoch. */
export interface PlanRequest {
  /** `plr_` and 20 random base62 characters. */
  readonly id: string;
  readonly accountId: string;
  /** The requested plan. */
  readonly plan: string;
  /** The consumer's message; may be empty. */
  readonly message: string;
  readonly status: PlanRequestStatus;
  /** The operator's message to the consumer. */
  readonly reason: string | null;
  readonly createdAt: number;
  /** `decidedAt` and `decidedBy` are null while the request is open. */
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
}

type NewPlanRequest = Pick<PlanRequest, 'plan' | 'message'>;

interface PlanRequestFilter {
  readonly status?: PlanRequestStatus | undefined;
  readonly accountId?: string | undefined;
}

/** Requests for another plan. The errors are those of `Accounts`. */
export class PlanRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: string): Promise<PlanRequest | null> {
    return this.#database.read((queries) => findRequest(queries, id));
  }

  /** Newest first. */
  list(filter: PlanRequestFilter, page: PageRequest): Promise<Page<PlanRequest>> {
    return this.#database.read((queries) => listRequests(queries, filter, page));
  }

  /**
   * Refused with `account_not_found`, `plan_not_found`, `limits_mismatch` (a custom plan), `conflict` (the account
   * already has the plan, or is disabled) and `plan_request_open` (an account can have only one open request).
   */
  create(accountId: string, { plan, message }: NewPlanRequest, change: ChangeContext): Promise<PlanRequest> {
    return this.#change(change, async (context) => {
      const { tx } = context;
      const account = await lockAccount(context, accountId);
      checkActive(account);
      checkAccountPlan(plan, await findPlanById(tx, plan));
      if (account.plan === plan) throw new RegistryError('conflict', `account ${accountId} already has plan ${plan}`);
      const open = await findOpenRequest(tx, accountId);
      if (open !== null) {
        throw new RegistryError(
          'plan_request_open',
          `account ${accountId} already has an open request for plan ${open.plan}`,
        );
      }
      const request = {
        id: createRandomId('plr'),
        accountId,
        plan,
        message,
        status: 'open',
        createdAt: change.at,
      } as const;
      const stored = { ...request, reason: null, decidedAt: null, decidedBy: null };
      await insertRequest(tx, stored);
      await appendAuditEntry(context, stored.id, 'plan_request.create', { after: { accountId, plan, message } });
      await publish(context, [createPlanRequestEvent('plan_request.created', stored, account.owner, change.at)]);
      return stored;
    });
  }

  /**
   * Deletes an open request of this account. Refused with `plan_request_not_found` if the account has no such request,
   * and with `conflict` if the request is decided.
   */
  withdraw(accountId: string, id: string, change: ChangeContext): Promise<void> {
    return this.#change(change, async (context) => {
      const { plan, message } = (await lockOpenRequest(context, id, accountId)).request;
      await deleteRequest(context.tx, id);
      await appendAuditEntry(context, id, 'plan_request.withdraw', { before: { accountId, plan, message } });
    });
  }

  /**
   * Gives the plan to the account and its keys. The consumer sees `change.reason`. Refused with
   * `plan_request_not_found`, `conflict` (already decided) and the errors of `Accounts.update`.
   */
  approve(id: string, change: ChangeContext): Promise<PlanRequest> {
    return this.#change(change, async (context) => {
      const locked = await lockOpenRequest(context, id);
      await updateAccount(context, locked.account.id, { plan: locked.request.plan }, {});
      return decide(context, locked, 'approved');
    });
  }

  decline(id: string, change: ChangeContext): Promise<PlanRequest> {
    return this.#change(change, async (context) => decide(context, await lockOpenRequest(context, id), 'declined'));
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}

interface LockedRequest {
  readonly request: PlanRequest;
  readonly account: Account;
}

/**
 * Finds an open request and locks its account, so that no other decision is possible until this transaction ends.
 *
 * @param accountId the account that the request must belong to
 */
async function lockOpenRequest(context: WriteContext, id: string, accountId?: string): Promise<LockedRequest> {
  const candidate = await findRequest(context.tx, id);
  if (candidate === null || (accountId !== undefined && candidate.accountId !== accountId)) throw notFound(id);
  const account = await lockAccount(context, candidate.accountId);
  const request = await findRequest(context.tx, id);
  if (request === null) throw notFound(id);
  if (request.status !== 'open') throw new RegistryError('conflict', `request ${id} is already ${request.status}`);
  return { request, account };
}

async function decide(
  context: WriteContext,
  { request, account }: LockedRequest,
  status: 'approved' | 'declined',
): Promise<PlanRequest> {
  const { actor, reason, at } = context.change;
  const decidedRequest = { ...request, status, reason, decidedAt: at, decidedBy: actor };
  await writeDecision(context.tx, decidedRequest);
  const action = status === 'approved' ? 'plan_request.approve' : 'plan_request.decline';
  const { accountId, plan } = request;
  await appendAuditEntry(context, request.id, action, {
    before: { status: 'open' },
    after: { status, accountId, plan },
  });
  await publish(context, [createPlanRequestEvent(`plan_request.${status}`, decidedRequest, account.owner, at)]);
  return decidedRequest;
}

function notFound(id: string): RegistryError {
  return new RegistryError('plan_request_not_found', `there is no plan request ${id}`);
}

type PlanRequestEventType = 'plan_request.created' | 'plan_request.approved' | 'plan_request.declined';

/** The event that tells the owner of the account about a request. @param at ms since the Unix epoch */
function createPlanRequestEvent(type: PlanRequestEventType, request: PlanRequest, owner: string, at: number): NewEvent {
  const { id, accountId, plan, message, reason } = request;
  return createGatewayEvent(type, { id, accountId, plan, message, reason }, { subject: id, owner, at });
}

async function findRequest(queries: Queries, id: string): Promise<PlanRequest | null> {
  const row = await queries.selectFrom('plan_requests').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toPlanRequest(row);
}

async function findOpenRequest(queries: Queries, accountId: string): Promise<PlanRequest | null> {
  const requests = queries.selectFrom('plan_requests').selectAll().where('account_id', '=', accountId);
  const row = await requests.where('status', '=', 'open').executeTakeFirst();
  return row === undefined ? null : toPlanRequest(row);
}

/** Newest first. */
async function listRequests(
  queries: Queries,
  { status, accountId }: PlanRequestFilter,
  page: PageRequest,
): Promise<Page<PlanRequest>> {
  let query = queries.selectFrom('plan_requests').selectAll();
  if (page.cursor !== undefined) query = query.where('sequence', '<', decodeSequence('plan-requests', page.cursor));
  if (status !== undefined) query = query.where('status', '=', status);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toPage('plan-requests', rows, page.limit, (row) => row.sequence, toPlanRequest);
}

async function insertRequest(tx: Tx, request: PlanRequest): Promise<void> {
  const { accountId, createdAt, decidedAt, decidedBy, ...sameColumns } = request;
  const renamedColumns = { account_id: accountId, created_at: createdAt, decided_at: decidedAt, decided_by: decidedBy };
  await tx
    .insertInto('plan_requests')
    .values({ ...sameColumns, ...renamedColumns })
    .execute();
}

async function writeDecision(tx: Tx, { id, status, reason, decidedAt, decidedBy }: PlanRequest): Promise<void> {
  const decision = { status, reason, decided_at: decidedAt, decided_by: decidedBy };
  await tx.updateTable('plan_requests').set(decision).where('id', '=', id).execute();
}

async function deleteRequest(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('plan_requests').where('id', '=', id).execute();
}

function toPlanRequest(row: Selectable<PlanRequestTable>): PlanRequest {
  const { id, plan, message, reason } = row;
  return {
    id,
    accountId: row.account_id,
    plan,
    message,
    status: row.status as PlanRequestStatus,
    reason,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
  };
}
