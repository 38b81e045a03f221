import { isDeepStrictEqual } from 'node:util';
import { type AuditAction, audited, type ChangedFields, difference, recorded } from './audit-log.ts';
import { publish } from '../events/event-outbox.ts';
import { planChanged } from './change-events.ts';
import { announceAll } from './invalidation.ts';
import { checkRevision, type WriteContext } from './write-context.ts';
import { checkPlan, type Plan, planFields, planInUse, planNotFound, type StoredPlan } from '../../domain/plan.ts';
import { allPlans, isUsed, planById, PLANS_LOCK, toRow } from './plan-rows.ts';

/** @returns whether this call seeded the plans. Only the first call ever does so, and only in an empty registry. */
export async function seedPlans(context: WriteContext, plans: readonly Plan[]): Promise<boolean> {
  const { tx, dialect, change } = context;
  await dialect.lock(tx, PLANS_LOCK);
  const claim = tx.insertInto('claims').values({ name: 'plans.seed', at: change.at });
  const { numInsertedOrUpdatedRows } = await claim.onConflict((on) => on.doNothing()).executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n || (await allPlans(tx)).length > 0) return false;
  for (const plan of plans) {
    checkPlan(plan);
    const revision = await recordChange(context, plan.id, 'plans.seed', { after: recorded(plan) });
    await tx
      .insertInto('plans')
      .values(toRow({ ...plan, revision }))
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
  const stored = { ...plan, revision: await recordChange(context, plan.id, 'plan.put', what ?? {}) };
  const { id, ...values } = toRow(stored);
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
  await recordChange(context, id, 'plan.delete', { before: recorded(current) });
}

/** Like `audited`, and also announces the change. */
function recordChange(context: WriteContext, id: string, action: AuditAction, what: ChangedFields): Promise<number> {
  announceAll(context.announce);
  return audited(context, id, action, what);
}

/** The previous and the current plans of a file. */
export interface PlanFiles {
  readonly before: readonly Plan[];
  readonly read: readonly Plan[];
}

/** See `Registry.applyChangedPlans`. */
export async function applyChangedPlans(context: WriteContext, { before, read }: PlanFiles): Promise<string[]> {
  const warnings: string[] = [];
  const knownBefore = new Map(before.map((plan) => [plan.id, plan]));
  const changed = read.filter((plan) => !isSame(knownBefore.get(plan.id), plan));
  if (changed.length === 0) return warnings;
  await context.dialect.lock(context.tx, PLANS_LOCK);
  for (const plan of changed) {
    const known = knownBefore.get(plan.id);
    const stored = (await planById(context.tx, plan.id)) ?? undefined;
    if (isSame(stored, plan)) continue;
    if (isSame(stored, known)) await putPlan(context, plan, undefined);
    else warnings.push(stayed(plan, stored === undefined ? 'deleted' : 'changed'));
  }
  return warnings;
}

function stayed({ id }: Plan, since: 'deleted' | 'changed'): string {
  return (
    `plan ${id} has changed in the file but was not applied, because an operator ${since} it: ` +
    '"tollgate plans apply" shows the difference'
  );
}

/** Two missing plans count as the same. */
function isSame(one: Plan | undefined, other: Plan | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return planFields.every((field) => isDeepStrictEqual(one[field], other[field]));
}
