import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { WINDOW_NAMES } from '../domain/quota-limits.ts';
import type { Environment } from '../config/environment.ts';
import type { Excess } from '../control-plane/history/store/history-store.ts';
import type { Plan } from '../domain/plan.ts';
import type { PreviewResponse } from './admin-api-types.ts';
import { type AdminApi, ApiError, connect, joinPath } from './admin-api.ts';
import { readWholeList } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, REASON_OPTION, type ReasonOption } from './command.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { formatDay, formatLimits, printJson, formatTime } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatTable } from './table.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly prune?: true;
  readonly yes?: true;
}

const FORMAT_HELP = `
The file lists the plans:

  plans:
    - id: free
      name: Free
      limits: { minute: 60, day: 1000, month: 20000 }
      operations: [getPet, 'tag:orders']

month and operations are optional. "tollgate operations list" shows the ids and tags of operations.`;

export function createPlansApplyCommand(io: Io): Command {
  return createAdminCommand(
    'apply',
    'Show what a plans file would change, ask for confirmation, and apply it',
    'plans apply config/plans.yaml',
    'plans apply config/plans.yaml --prune --yes --reason "2027 prices"',
  )
    .argument('<file>', 'YAML file, such as config/plans.yaml')
    .option('--prune', 'Delete plans that are not in the file')
    .option('--yes', 'Skip the confirmation prompt')
    .option(...REASON_OPTION)
    .addHelpText('after', FORMAT_HELP)
    .action((file: string, options: Options) => apply(io, file, options));
}

async function apply(io: Io, file: string, options: Options): Promise<void> {
  const json = options.json === true;
  const newPlans = await readPlansFile(resolve(io.cwd, file), io.env);
  const api = connect(io);
  const present = await readPresentPlans(api);
  const diff = diffPlans(
    newPlans,
    [...present.values()].map(({ plan }) => plan),
    options.prune === true,
  );
  const nothing = diff.added.length + diff.changed.length + diff.deleted.length === 0;
  const asks = !nothing && options.yes !== true;
  // With --json, standard output is only for the JSON document, so the preview goes to standard error.
  const show = (text: string) => (json ? io.err(text) : io.out(text));
  if (asks || !json) show(formatDiff(diff));
  if (asks) show(await formatPreviews(api, diff, io.columns));
  const applied = !nothing && (await confirm(io, options));
  if (applied) await applyDiff(api, diff, present, options.reason);
  if (json) return printJson(io, { applied, ...summarizeDiff(diff) });
  io.out(nothing ? 'Plans are already up to date.\n' : applied ? 'Applied.\n' : 'Canceled. No plans were changed.\n');
}

async function confirm(io: Io, { yes }: Options): Promise<boolean> {
  if (yes === true) return true;
  if (io.ask === null) throw new UsageFailure('no plans were changed: use --yes to apply without a terminal');
  return /^y(es)?$/i.test((await io.ask('Apply these changes? [y/N] ')).trim());
}

function summarizeDiff({ added, changed, deleted, kept, unchanged }: PlanDiff) {
  const ids = (plans: readonly Plan[]) => plans.map(({ id }) => id);
  return {
    added: ids(added),
    changed: changed.map(({ plan, fields }) => ({ id: plan.id, fields })),
    deleted: ids(deleted),
    kept: ids(kept),
    unchanged: ids(unchanged),
  };
}

/** @throws Failure with all errors of the file */
async function readPlansFile(path: string, env: Environment): Promise<readonly Plan[]> {
  // Load these modules only here, because no other command reads plans.
  const { Faults } = await import('../base/configuration-faults.ts');
  const { readYaml } = await import('../base/yaml.ts');
  const { parsePlans } = await import('../config/plans-file.ts');
  const faults = new Faults();
  // Read the file directly, because pipes are allowed here.
  const yaml = readYaml(path, faults, (file) => readFileSync(file, 'utf8'));
  const plans = yaml === null ? null : parsePlans(yaml, env, faults);
  if (plans !== null && faults.count === 0) return plans;
  throw new Failure(
    `${path} has errors, and no plans were changed:\n${faults.lines.map((line) => `  ${line}`).join('\n')}`,
  );
}

interface FieldChange {
  /** The dotted path of the field, such as `limits.minute`. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

interface PlanChange {
  readonly plan: Plan;
  readonly fields: readonly FieldChange[];
}

interface PlanDiff {
  readonly added: readonly Plan[];
  readonly changed: readonly PlanChange[];
  /** Plans in the registry that are not in the file. They are deleted with `prune`, and kept otherwise. */
  readonly deleted: readonly Plan[];
  readonly kept: readonly Plan[];
  readonly unchanged: readonly Plan[];
}

/** Finds the changes that turn the present plans into the wanted plans. */
export function diffPlans(wanted: readonly Plan[], present: readonly Plan[], prune: boolean): PlanDiff {
  const byId = new Map(present.map((plan) => [plan.id, plan]));
  const named = new Set(wanted.map(({ id }) => id));
  const unnamed = present.filter(({ id }) => !named.has(id));
  const compared = wanted.flatMap((plan) => {
    const old = byId.get(plan.id);
    return old === undefined ? [] : [{ plan, fields: findChangedFields(old, plan) }];
  });
  return {
    added: wanted.filter(({ id }) => !byId.has(id)),
    changed: compared.filter(({ fields }) => fields.length > 0),
    deleted: prune ? unnamed : [],
    kept: prune ? [] : unnamed,
    unchanged: compared.filter(({ fields }) => fields.length === 0).map(({ plan }) => plan),
  };
}

/** @param plan a plan from the file, with all of its fields */
function findChangedFields(old: Plan, plan: Plan): FieldChange[] {
  const fields = Object.keys(plan) as (keyof Plan)[];
  return fields.flatMap((field): FieldChange[] => {
    if (field !== 'limits')
      return isDeepStrictEqual(old[field], plan[field]) ? [] : [{ field, from: old[field], to: plan[field] }];
    if (old.limits === null || plan.limits === null) {
      return old.limits === plan.limits ? [] : [{ field, from: old.limits, to: plan.limits }];
    }
    const [from, to] = [old.limits, plan.limits];
    return WINDOW_NAMES.filter((window) => from[window] !== to[window]).map((window) => {
      return { field: `limits.${window}`, from: from[window] ?? null, to: to[window] ?? null };
    });
  });
}

/** Formats the changes: `+` for added, `~` for changed, and `-` for deleted plans. */
function formatDiff(diff: PlanDiff): string {
  const lines = [
    ...diff.added.map((plan) => `+ ${plan.id}  ${formatPlan(plan)}`),
    ...diff.changed.flatMap(({ plan, fields }) =>
      fields.map(({ field, from, to }) => `~ ${plan.id}  ${field}: ${formatField(from)} → ${formatField(to)}`),
    ),
    ...diff.deleted.map(({ id }) => `- ${id}`),
    `  ${diff.unchanged.length} unchanged`,
  ];
  if (diff.kept.length > 0) {
    lines.push(`  not in the file, kept (use --prune to delete): ${diff.kept.map(({ id }) => id).join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}

function formatPlan({ name, limits, concurrent, mode, onStoreFailure }: Plan): string {
  const terms = [limits === null ? 'custom' : formatLimits(limits)];
  if (concurrent !== null) terms.push(`${concurrent} at once`);
  return [formatField(name), ...terms, ...(mode === 'shadow' ? [mode] : []), onStoreFailure].join(', ');
}

function formatField(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value);
}

/** Maximum number of keys to show per plan. More keys would push the prompt off the screen. */
const MAX_SHOWN = 10;
const COLUMNS = [{ title: '  KEY', whole: true }, { title: 'OWNER' }, { title: 'MINUTES' }, { title: 'DAYS' }];
const COLUMNS_WITH_MONTHS = [...COLUMNS, { title: 'MONTHS' }];

/**
 * Lists the keys that stricter limits would have refused in the past. Empty if no limit becomes stricter.
 *
 * @param columns the width of the terminal; null if there is none
 */
async function formatPreviews(api: AdminApi, { changed }: PlanDiff, columns: number | null): Promise<string> {
  let text = '';
  for (const change of changed.filter(isStricter)) text += await readPreview(api, change, columns);
  return text;
}

function isStricter({ plan, fields }: PlanChange): boolean {
  if (plan.limits === null || plan.mode === 'shadow') return false;
  return fields.some(({ field, from, to }) => {
    return field === 'mode' || (field.startsWith('limits') && !(Number(from ?? Infinity) < Number(to ?? Infinity)));
  });
}

async function readPreview(api: AdminApi, change: PlanChange, columns: number | null): Promise<string> {
  const { id, limits } = change.plan;
  try {
    const { body } = await api.call<PreviewResponse>('POST', joinPath('plans', id, 'preview'), { json: { limits } });
    return formatPreview(body, columns);
  } catch (error) {
    // The plans can be applied without a preview, so this is not an error.
    if (!(error instanceof ApiError)) throw error;
    return `  ${id}: no preview of refused requests: ${error.message}\n`;
  }
}

function formatPreview(
  { plan, limits, minutesFrom, daysFrom, monthsFrom, keysExamined, keysAbove, keys }: PreviewResponse,
  columns: number | null,
): string {
  const months = monthsFrom === null ? '' : `, per month since ${formatDay(monthsFrom)}`;
  const since = `(per minute since ${formatTime(minutesFrom)}, per day since ${formatDay(daysFrom)}${months} UTC)`;
  if (keysAbove === 0) return `  ${plan}: no keys exceeded the new limits ${since}\n`;
  const shown = keys.slice(0, MAX_SHOWN);
  const rows = shown.map(({ key, owner, minutes, days, months: ofMonths }) => {
    const above = [formatExcess(minutes, limits.minute), formatExcess(days, limits.day)];
    return [`  ${key}`, owner, ...above, ...(limits.month === undefined ? [] : [formatExcess(ofMonths, limits.month)])];
  });
  const columnsShown = limits.month === undefined ? COLUMNS : COLUMNS_WITH_MONTHS;
  const rest = keysAbove - shown.reduce((sum, { sharing }) => sum + sharing, 0);
  const more = rest > 0 ? `  and ${pluralize(rest, 'more key')}\n` : '';
  return `  ${plan}: ${keysAbove} of ${pluralize(keysExamined, 'key')} exceeded the new limits ${since}:\n${formatTable(columnsShown, rows, columns)}${more}`;
}

function formatExcess({ count: times, peak }: Excess, limit: number): string {
  return times === 0 ? 'none' : `${times} (up to ${peak - limit} over)`;
}

/** A plan as it was when it was compared with the file. */
interface PresentPlan {
  readonly plan: Plan;
  readonly etag: string;
}

/** Reads plans one by one, because the list of plans has no entity tags. */
async function readPresentPlans(api: AdminApi): Promise<Map<string, PresentPlan>> {
  const present = new Map<string, PresentPlan>();
  for (const { id } of (await readWholeList<Plan>(api, '/plans')).items) {
    try {
      const { body, etag } = await api.call<Plan>('GET', joinPath('plans', id));
      present.set(id, { plan: body, etag });
    } catch (error) {
      // Skip a plan that was deleted after the list was read.
      if (!(error instanceof ApiError && error.code === 'plan_not_found')) throw error;
    }
  }
  return present;
}

interface Step {
  readonly id: string;
  readonly work: () => Promise<unknown>;
}

/**
 * Applies the changes plan by plan, deletions last. A plan that has changed since the comparison is refused.
 *
 * @throws Failure at the first step that fails; the message lists the plans that are done and not done
 */
async function applyDiff(
  api: AdminApi,
  { added, changed, deleted }: PlanDiff,
  present: ReadonlyMap<string, PresentPlan>,
  reason: string | undefined,
): Promise<void> {
  const ifUnchanged = (id: string) => ({ reason, ifMatch: present.get(id)?.etag ?? '' });
  const steps: Step[] = [
    ...added.map((plan) => ({ id: plan.id, work: () => api.call('POST', '/plans', { json: plan, reason }) })),
    ...changed.map(({ plan }) => ({
      id: plan.id,
      work: () => api.call('PUT', joinPath('plans', plan.id), { json: plan, ...ifUnchanged(plan.id) }),
    })),
    ...deleted.map(({ id }) => ({ id, work: () => api.call('DELETE', joinPath('plans', id), ifUnchanged(id)) })),
  ];
  for (const [index, { id, work }] of steps.entries()) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const named = (some: readonly Step[]) => some.map((step) => step.id).join(', ') || 'none';
      throw new Failure(
        `plan ${id}: ${explainFailure(id, error)}\n  done: ${named(steps.slice(0, index))}\n` +
          `  not done: ${named(steps.slice(index))}\nRun the same command again to see what is left.`,
      );
    }
  }
}

function explainFailure(id: string, error: Failure): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 412 || error.code === 'conflict' || error.code === 'plan_not_found') {
    return 'someone else changed it in the meantime, and their change was not overwritten';
  }
  return error.message.replaceAll('--plan ID', `--plan ${id}`);
}
