import { planFields, type Plan } from '../control-plane/registry/plans/plan.ts';
import { limitsInWords } from './output/format.ts';

export interface FieldChange {
  /** A dotted path, such as `limits.minute`. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface PlanChange {
  readonly plan: Plan;
  readonly fields: readonly FieldChange[];
}

export interface PlanDiff {
  readonly added: readonly Plan[];
  readonly changed: readonly PlanChange[];
  /** In the registry but not in the file: deleted with `prune`, otherwise kept. */
  readonly deleted: readonly Plan[];
  readonly kept: readonly Plan[];
  readonly unchanged: readonly Plan[];
}

/** The changes that turn the plans of a registry into those of a file. */
export function diffPlans(wanted: readonly Plan[], present: readonly Plan[], prune: boolean): PlanDiff {
  const byId = new Map(present.map((plan) => [plan.id, plan]));
  const named = new Set(wanted.map(({ id }) => id));
  const unnamed = present.filter(({ id }) => !named.has(id));
  const compared = wanted.flatMap((plan) => {
    const old = byId.get(plan.id);
    return old === undefined ? [] : [{ plan, fields: changedFields(old, plan) }];
  });
  return {
    added: wanted.filter(({ id }) => !byId.has(id)),
    changed: compared.filter(({ fields }) => fields.length > 0),
    deleted: prune ? unnamed : [],
    kept: prune ? [] : unnamed,
    unchanged: compared.filter(({ fields }) => fields.length === 0).map(({ plan }) => plan),
  };
}

function changedFields(old: Plan, plan: Plan): FieldChange[] {
  return planFields.flatMap((field): FieldChange[] => {
    if (field !== 'limits') return old[field] === plan[field] ? [] : [{ field, from: old[field], to: plan[field] }];
    if (old.limits === null || plan.limits === null) {
      return old.limits === plan.limits ? [] : [{ field, from: old.limits, to: plan.limits }];
    }
    const [from, to] = [old.limits, plan.limits];
    return (['minute', 'day'] as const)
      .filter((window) => from[window] !== to[window])
      .map((window) => ({ field: `limits.${window}`, from: from[window], to: to[window] }));
  });
}

/** The difference for people: `+` is added, `~` changed, `-` deleted. */
export function diffText(diff: PlanDiff): string {
  const lines = [
    ...diff.added.map((plan) => `+ ${plan.id}  ${summary(plan)}`),
    ...diff.changed.flatMap(({ plan, fields }) =>
      fields.map(({ field, from, to }) => `~ ${plan.id}  ${field}: ${shown(from)} → ${shown(to)}`),
    ),
    ...diff.deleted.map(({ id }) => `- ${id}`),
    `  ${diff.unchanged.length} unchanged`,
  ];
  if (diff.kept.length > 0) {
    lines.push(`  not in the file, and kept (--prune deletes them): ${diff.kept.map(({ id }) => id).join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}

function summary({ name, limits, mode, onStoreFailure }: Plan): string {
  const terms = limits === null ? 'custom' : limitsInWords(limits);
  return [shown(name), terms, ...(mode === 'shadow' ? [mode] : []), onStoreFailure].join(', ');
}

function shown(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value);
}
