import type { Selectable } from 'kysely';
import type { PlanRequestTable, Queries, Tx } from '../../../storage/tables.ts';
import { decodeSequence, pageOf, type Page, type PageRequest } from '../../../base/paging.ts';
import type { PlanRequest, PlanRequestFilter, PlanRequestStatus } from './plan-request.ts';

/** The `plan_requests` table: rows in and out, no rules. */

export async function requestById(queries: Queries, id: string): Promise<PlanRequest | null> {
  const row = await queries.selectFrom('plan_requests').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : requestOf(row);
}

export async function openRequest(queries: Queries, accountId: string): Promise<PlanRequest | null> {
  const requests = queries.selectFrom('plan_requests').selectAll().where('account_id', '=', accountId);
  const row = await requests.where('status', '=', 'open').executeTakeFirst();
  return row === undefined ? null : requestOf(row);
}

/** Newest first. */
export async function listRequests(
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
  return pageOf('plan-requests', rows, page.limit, (row) => row.sequence, requestOf);
}

export async function insertRequest(tx: Tx, request: PlanRequest): Promise<void> {
  const { accountId, createdAt, decidedAt, decidedBy, ...same } = request;
  const renamed = { account_id: accountId, created_at: createdAt, decided_at: decidedAt, decided_by: decidedBy };
  await tx
    .insertInto('plan_requests')
    .values({ ...same, ...renamed })
    .execute();
}

export async function writeDecision(tx: Tx, { id, status, reason, decidedAt, decidedBy }: PlanRequest): Promise<void> {
  const decision = { status, reason, decided_at: decidedAt, decided_by: decidedBy };
  await tx.updateTable('plan_requests').set(decision).where('id', '=', id).execute();
}

export async function deleteRequest(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('plan_requests').where('id', '=', id).execute();
}

function requestOf(row: Selectable<PlanRequestTable>): PlanRequest {
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
