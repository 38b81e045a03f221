import {
  type AuditAction,
  appendAuditEntry,
  type ChangedFields,
  diffRecords,
  pickRecordedFields,
} from './audit-log.ts';
import { publish } from '../events/event-outbox.ts';
import { createPlanChangedEvents } from './change-events.ts';
import { announceAll } from './invalidation.ts';
import { decidePlan, listChangedPlans, type PlanFiles } from './plans-in-file.ts';
import { checkRevision, type WriteContext } from './write-context.ts';
import {
  checkPlan,
  type Plan,
  createPlanInUseError,
  createPlanNotFoundError,
  type StoredPlan,
} from '../../domain/plan.ts';
import { loadPlans, isPlanUsed, findPlanById, PLANS_LOCK, toRow } from './plan-rows.ts';

/** @returns whether this call seeded the plans. Only the first call ever does so, and only in an empty registry. */
export async function seedPlans(context: WriteContext, plans: readonly Plan[]): Promise<boolean> {
  const { tx, dialect, change } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const claim = tx.insertInto('claims').values({ name: 'plans.seed', at: change.at });
  const { numInsertedOrUpdatedRows } = await claim.onConflict((on) => on.doNothing()).executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n || (await loadPlans(tx)).length > 0) return false;
  for (const plan of plans) {
    checkPlan(plan);
    const revision = await recordChange(context, plan.id, 'plans.seed', { after: pickRecordedFields(plan) });
    await tx
      .insertInto('plans')
      .values(toRow({ ...plan, revision }))
      .execute();
  }
  return true;
}

export async function putPlan(
  context: WriteContext,
  plan: Plan,
  expectedRevision: number | undefined,
): Promise<StoredPlan> {
  const { tx, dialect } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const current = await findPlanById(tx, plan.id);
  checkRevision(`plan ${plan.id}`, current?.revision ?? 0, expectedRevision);
  checkPlan(plan);
  const changedFields = current === null ? { after: pickRecordedFields(plan) } : diffRecords<Plan>(current, plan);
  if (current !== null && changedFields === null) return current;
  if (current !== null && current.custom !== plan.custom && (await isPlanUsed(tx, plan.id))) {
    throw createPlanInUseError(plan.id, plan.custom ? 'make it custom' : 'give it limits');
  }
  const stored = { ...plan, revision: await recordChange(context, plan.id, 'plan.put', changedFields ?? {}) };
  const { id, ...values } = toRow(stored);
  const insert = tx.insertInto('plans').values({ id, ...values });
  await insert.onConflict((on) => on.column('id').doUpdateSet(values)).execute();
  if (current !== null) await publish(context, createPlanChangedEvents(current, stored, context.change.at));
  return stored;
}

export async function deletePlan(
  context: WriteContext,
  id: string,
  expectedRevision: number | undefined,
): Promise<void> {
  const { tx, dialect } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const current = await findPlanById(tx, id);
  if (current === null) throw createPlanNotFoundError(id);
  checkRevision(`plan ${id}`, current.revision, expectedRevision);
  if (await isPlanUsed(tx, id)) throw createPlanInUseError(id, 'delete it');
  await tx.deleteFrom('plans').where('id', '=', id).execute();
  await recordChange(context, id, 'plan.delete', { before: pickRecordedFields(current) });
}

/** Like `appendAuditEntry`, and also announces the change. */
function recordChange(
  context: WriteContext,
  id: string,
  action: AuditAction,
  changedFields: ChangedFields,
): Promise<number> {
  announceAll(context.announce);
  return appendAuditEntry(context, id, action, changedFields);
}

/** See `Registry.applyChangedPlans`. */
export async function applyChangedPlans(context: WriteContext, files: PlanFiles): Promise<string[]> {
  const warnings: string[] = [];
  const changed = listChangedPlans(files);
  if (changed.length === 0) return warnings;
  await context.dialect.lock(context.tx, PLANS_LOCK);
  for (const plan of changed) {
    const stored = (await findPlanById(context.tx, plan.id)) ?? undefined;
    const decided = decidePlan(plan, files, stored);
    if (decided?.outcome === 'applied') await putPlan(context, plan, undefined);
    else if (decided !== null)
      warnings.push(describeUnappliedChange(plan, stored === undefined ? 'deleted' : 'changed'));
  }
  return warnings;
}

function describeUnappliedChange({ id }: Plan, operatorAction: 'deleted' | 'changed'): string {
  return (
    `plan ${id} has changed in the file but was not applied, because an operator ${operatorAction} it: ` +
    '"tollgate plans apply" shows the difference'
  );
}
