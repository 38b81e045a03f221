/** Formats the effects of a reload, done or previewed. */
import { toPrintable, pluralize } from '../base/text.ts';
import type { ReloadResponse } from './admin-api-types.ts';
import { formatCallers } from './document-changes.ts';

/** A longer list would push the rest off the screen. */
const MAX_LISTED = 100;
const MAX_VALUE = 80;
const INDENT = '  ';
const SEVERITY_WIDTH = 11;

/** @returns lines; empty if nothing changes */
export function formatReloadReport(report: ReloadResponse, now: number): string {
  const lines = [
    ...formatChangedSettings(report),
    ...report.restart.flatMap((name) => [`needs a restart: ${name}`, ...formatValues(report, name)]),
    ...report.files.map(formatFile),
    ...formatOperations(report, now),
    ...report.public.map(({ method, path, upstream }) => `becomes public: ${method} ${path} (${upstream})`),
    ...report.selectors.map(formatSelector),
    ...report.plans.flatMap(formatPlan),
    ...report.incomplete.map((reason) => `not complete: ${reason}`),
    ...report.warnings.map((warning) => `warning: ${warning}`),
  ];
  return lines.map((line) => `${toPrintable(line)}\n`).join('');
}

/** Whether the reload changes anything, now or after a restart. */
export function hasEffects({ changed, restart, files, plans }: ReloadResponse): boolean {
  return changed.length > 0 || restart.length > 0 || files.length > 0 || plans.length > 0;
}

/**
 * Splits the name of a setting into the part that it belongs to (an upstream, an admin token, or the setting itself)
 * and the rest.
 */
function splitSetting(setting: string): {
  readonly part: string;
  readonly rest: string;
  readonly entry: string | null;
} {
  const [, list, name = '', rest = ''] = /^(upstreams|adminTokens)\.([^.]+)(?:\.(.*))?$/s.exec(setting) ?? [];
  if (list === undefined) return { part: setting, rest: '', entry: null };
  const part = `${list === 'upstreams' ? 'upstream' : 'admin token'} ${name}`;
  return { part, rest, entry: `${list}.${name}.name` };
}

function formatChangedSettings(report: ReloadResponse): string[] {
  const byName = new Map(report.settings.map((setting) => [setting.name, setting]));
  const parts = Map.groupBy(report.changed, (name) => splitSetting(name).part);
  return [...parts].flatMap(([part, names]) => {
    const { entry } = splitSetting(names[0] ?? '');
    const named = entry === null ? undefined : byName.get(entry);
    if (named?.after === null) return [`removed: ${part}`];
    if (named?.before === null) return [`added: ${part}`];
    const details = names.map((name) => splitSetting(name).rest).filter((rest) => rest !== '');
    const isSingle = entry === null && names.length === 1;
    return [
      `changed: ${part}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
      ...(isSingle ? formatValues(report, part) : []),
    ];
  });
}

function formatValues({ settings }: ReloadResponse, name: string): string[] {
  const setting = settings.find((each) => each.name === name);
  if (setting === undefined) return [];
  const { before, after, secret } = setting;
  if (secret && before === after) return [];
  return [`${INDENT}from ${formatValue(before)} to ${formatValue(after)}`];
}

function formatValue(value: unknown): string {
  const text = value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

const FILE_EFFECTS = { reload: '', restart: ', only at the next start', automatic: ', without a reload' };

function formatFile({ kind, path, effect }: ReloadResponse['files'][number]): string {
  return `file read again: ${path} (${kind}${FILE_EFFECTS[effect]})`;
}

function formatOperations({ operations }: ReloadResponse, now: number): string[] {
  const { added, removed, changed, called, keys, owners, items } = operations;
  if (items.length === 0) return [];
  const concerned =
    called === 0
      ? ''
      : `; breaking changes of ${pluralize(called, 'operation')} concern ${pluralize(keys, 'key')} of ${pluralize(owners, 'owner')}`;
  const listed = items.slice(0, MAX_LISTED).flatMap((item) => {
    const { change, severity, operation, upstream, messages } = item;
    const name = operation === null ? 'webhook' : `${operation.method} ${operation.path}`;
    const margin = INDENT + ' '.repeat(SEVERITY_WIDTH);
    const callers = formatCallers(item, now);
    return [
      `${INDENT}${severity.padEnd(SEVERITY_WIDTH)}${change}: ${name} (${upstream})`,
      ...(change === 'changed' ? messages.map((message) => margin + message) : []),
      ...(callers === '' ? [] : [margin + callers]),
    ];
  });
  const more = items.length - MAX_LISTED;
  return [
    `operations: ${added} added, ${removed} removed, ${changed} changed${concerned}`,
    ...listed,
    ...(more > 0 ? [`${INDENT}and ${more} more (--json lists them)`] : []),
  ];
}

function formatSelector({ kind, id, selector, nearest, matchesNow }: ReloadResponse['selectors'][number]): string {
  const advice = nearest === null ? '' : `; the nearest is ${nearest}`;
  return `matches no operation${matchesNow ? '' : ', as before'}: ${selector}, in the ${kind} ${id}${advice}`;
}

const OUTCOMES = {
  created: 'new plan',
  changed: 'changed plan',
  kept: 'plan not applied, because an operator changed or deleted it',
  refused:
    'plan that refuses the reload, because keys or accounts use it and it would change between fixed and custom limits',
};

function formatPlan({ id, outcome, fields, keys, preview }: ReloadResponse['plans'][number]): string[] {
  const details = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const lines = [`${OUTCOMES[outcome]}: ${id}${details}${keys === null ? '' : `, ${pluralize(keys, 'active key')}`}`];
  if (preview === null) return lines;
  const { keysAbove, keysExamined, keysUsedUp, keys: above } = preview;
  if (keysAbove === 0) return [...lines, `${INDENT}none of ${pluralize(keysExamined, 'key')} would have been refused`];
  const owners = [...new Set(above.map(({ owner }) => owner))];
  const more = owners.length > 5 ? `, and ${owners.length - 5} more` : '';
  return [
    ...lines,
    `${INDENT}${keysAbove} of ${pluralize(keysExamined, 'key')} would have been refused: ${owners.slice(0, 5).join(', ')}${more}`,
    ...(keysUsedUp > 0 ? [`${INDENT}${pluralize(keysUsedUp, 'key')} would be refused until the end of the day`] : []),
  ];
}
