import { sql } from 'kysely';
import type { Limits, Mode, OnStoreFailure } from '../../domain/quota-limits.ts';
import type { Queries, PlanRow } from '../../storage/tables.ts';
import type { StoredPlan } from '../../domain/plan.ts';

/** Reads and writes rows of the `plans` table. Contains no business rules. */

/**
 * The lock on plans. It is held exclusively while plans change, and shared while a key or account gets a plan, so that
 * a plan cannot be deleted at the moment it is given to one of them.
 */
export const PLANS_LOCK = 'plans';

export async function loadPlans(queries: Queries): Promise<StoredPlan[]> {
  return (await queries.selectFrom('plans').selectAll().orderBy('id').execute()).map(toPlan);
}

export async function loadPlansById(queries: Queries): Promise<Map<string, StoredPlan>> {
  return new Map((await loadPlans(queries)).map((plan) => [plan.id, plan]));
}

export async function findPlanById(queries: Queries, id: string): Promise<StoredPlan | null> {
  const row = await queries.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toPlan(row);
}

export interface KeyCounts {
  /** All keys, including revoked ones. */
  readonly keys: number;
  readonly activeKeys: number;
}

/** Reads only an index, not the keys themselves. */
export async function countKeysByPlan(queries: Queries): Promise<Map<string, KeyCounts>> {
  const rows = await queries
    .selectFrom('keys')
    .select(['plan', sql<number>`count(*)`.as('keys')])
    .select(sql<number>`sum(CASE WHEN status = 'active' THEN 1 ELSE 0 END)`.as('activeKeys'))
    .groupBy('plan')
    .execute();
  return new Map(rows.map(({ plan, keys, activeKeys }) => [plan, { keys, activeKeys }]));
}

/** Whether an account, or a key that is not revoked, uses the plan. New keys of an account get its plan. */
export async function isPlanUsed(queries: Queries, plan: string): Promise<boolean> {
  const keys = queries
    .selectFrom('keys')
    .select('id')
    .where('plan', '=', plan)
    .where('status', '<>', 'revoked')
    .limit(1);
  if ((await keys.executeTakeFirst()) !== undefined) return true;
  const accounts = queries.selectFrom('accounts').select('id').where('plan', '=', plan).limit(1);
  return (await accounts.executeTakeFirst()) !== undefined;
}

export function toRow(plan: StoredPlan): PlanRow {
  const { id, name, description, priceText, limits, custom, mode, onStoreFailure, operations, revision } = plan;
  return {
    id,
    name,
    description,
    price_text: priceText,
    minute_limit: limits?.minute ?? null,
    day_limit: limits?.day ?? null,
    month_limit: limits?.month ?? null,
    concurrent: plan.concurrent,
    custom: custom ? 1 : 0,
    mode,
    on_store_failure: onStoreFailure,
    operations: serializeList(operations),
    revision,
  };
}

/** Converts a list, or null, to a column value. */
export function serializeList(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

export function parseList(column: string | null): readonly string[] | null {
  return column === null ? null : (JSON.parse(column) as string[]);
}

/** The limits of a plan, or of a key on a custom plan. */
export function toLimits(row: Pick<PlanRow, 'minute_limit' | 'day_limit' | 'month_limit'>): Limits | null {
  const { minute_limit: minute, day_limit: day, month_limit: month } = row;
  if (minute === null || day === null) return null;
  return month === null ? { minute, day } : { minute, day, month };
}

function toPlan(row: PlanRow): StoredPlan {
  const { id, name, description, concurrent, revision } = row;
  return {
    id,
    name,
    description,
    priceText: row.price_text,
    limits: toLimits(row),
    concurrent,
    custom: row.custom === 1,
    mode: row.mode as Mode,
    onStoreFailure: row.on_store_failure as OnStoreFailure,
    operations: parseList(row.operations),
    revision,
  };
}
