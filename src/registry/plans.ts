import type { Mode } from '../admission/decide.ts';
import type { Queries, Tx } from '../database/queries.ts';
import type { PlanRow } from '../database/tables.ts';
import { appendAudit } from './audit/audit.ts';
import { difference, entryOf, recorded } from './audit/audit-record.ts';
import { announceAll } from './invalidation.ts';
import type { OnStoreFailure, Plan, StoredPlan } from './registry.ts';
import { checkPlan, checkRevision, planInUse, planNotFound } from './rules.ts';
import type { WriteContext } from './write-context.ts';

/** Held while plans are changed, shared while a key is given a plan: so that no key loses its plan. */
export const PLANS_LOCK = 'plans';

export async function allPlans(queries: Queries): Promise<StoredPlan[]> {
  return (await queries.selectFrom('plans').selectAll().orderBy('id').execute()).map(planOf);
}

export async function planById(queries: Queries, id: string): Promise<StoredPlan | null> {
  const row = await queries.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : planOf(row);
}

/** @returns whether this call seeded them: only the first call ever does, and only in an empty registry */
export async function seedPlans(context: WriteContext, plans: readonly Plan[]): Promise<boolean> {
  const { tx, dialect, change } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const claim = tx.insertInto('claims').values({ name: 'plans.seed', at: change.at });
  const { numInsertedOrUpdatedRows } = await claim.onConflict((on) => on.doNothing()).executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n || (await allPlans(tx)).length > 0) return false;
  for (const plan of plans) {
    checkPlan(plan);
    const revision = await audited(context, plan.id, 'plans.seed', { after: recorded(plan) });
    await tx
      .insertInto('plans')
      .values(rowOf({ ...plan, revision }))
      .execute();
  }
  return true;
}

export async function putPlan(context: WriteContext, plan: Plan, expected: number | undefined): Promise<StoredPlan> {
  const { tx, dialect } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const current = await planById(tx, plan.id);
  checkRevision(`plan ${plan.id}`, current?.revision ?? 0, expected);
  checkPlan(plan);
  const what = current === null ? { after: recorded(plan) } : difference<Plan>(current, plan);
  if (current !== null && what === null) return current;
  if (current !== null && current.custom !== plan.custom && (await isUsed(tx, plan.id))) {
    throw planInUse(plan.id, plan.custom ? 'make it custom' : 'give it limits');
  }
  const stored = { ...plan, revision: await audited(context, plan.id, 'plan.put', what ?? {}) };
  const { id, ...values } = rowOf(stored);
  const insert = tx.insertInto('plans').values({ id, ...values });
  await insert.onConflict((on) => on.column('id').doUpdateSet(values)).execute();
  return stored;
}

export async function deletePlan(context: WriteContext, id: string, expected: number | undefined): Promise<void> {
  const { tx, dialect } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const current = await planById(tx, id);
  if (current === null) throw planNotFound(id);
  checkRevision(`plan ${id}`, current.revision, expected);
  if (await isUsed(tx, id)) throw planInUse(id, 'delete it');
  await tx.deleteFrom('plans').where('id', '=', id).execute();
  await audited(context, id, 'plan.delete', { before: recorded(current) });
}

/** Announces a change and writes its audit entry. @returns the revision this gives the plan */
async function audited(
  { tx, change, announce }: WriteContext,
  id: string,
  action: string,
  what: Parameters<typeof entryOf>[3],
): Promise<number> {
  announceAll(announce);
  return (await appendAudit(tx, [entryOf(change, action, id, what)])).get(id) ?? 0;
}

/** Whether any key that is not revoked uses the plan. */
async function isUsed(tx: Tx, plan: string): Promise<boolean> {
  const used = tx.selectFrom('keys').select('id').where('plan', '=', plan).where('status', '<>', 'revoked').limit(1);
  return (await used.executeTakeFirst()) !== undefined;
}

function rowOf({ id, name, description, limits, custom, mode, onStoreFailure, revision }: StoredPlan): PlanRow {
  return {
    id,
    name,
    description,
    minute_limit: limits?.minute ?? null,
    day_limit: limits?.day ?? null,
    custom: custom ? 1 : 0,
    mode,
    on_store_failure: onStoreFailure,
    revision,
  };
}

export function planOf(row: PlanRow): StoredPlan {
  const { id, name, description, minute_limit: minute, day_limit: day, revision } = row;
  return {
    id,
    name,
    description,
    limits: minute === null || day === null ? null : { minute, day },
    custom: row.custom === 1,
    mode: row.mode as Mode,
    onStoreFailure: row.on_store_failure as OnStoreFailure,
    revision,
  };
}
