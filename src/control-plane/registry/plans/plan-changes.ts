import type { AuditAction } from '../audit/audit-action.ts';
import { publish } from '../../events/publish.ts';
import { appendAudit } from '../audit/audit-rows.ts';
import { difference, entryOf, recorded } from '../audit/audit-record.ts';
import { planChanged } from '../change-events.ts';
import { announceAll } from '../invalidation.ts';
import { checkRevision } from '../revision.ts';
import type { WriteContext } from '../write-context.ts';
import type { Plan, StoredPlan } from './plan.ts';
import { allPlans, isUsed, planById, PLANS_LOCK, rowOf } from './plan-rows.ts';
import { checkPlan, planInUse, planNotFound } from './plan-rules.ts';

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
  if (current !== null) await publish(context, planChanged(current, stored, context.change.at));
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
  action: AuditAction,
  what: Parameters<typeof entryOf>[3],
): Promise<number> {
  announceAll(announce);
  return (await appendAudit(tx, [entryOf(change, action, id, what)])).get(id) ?? 0;
}
