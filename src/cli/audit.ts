import type { Command } from 'commander';
import type { Limits } from '../domain/quota-limits.ts';
import type { AuditResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, withListOptions } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { formatTable } from './table.ts';

export function createAuditCommand(io: Io): Command {
  return createCommandGroup('audit', 'Read the audit log', createAuditListCommand(io));
}

interface Options extends AdminCommandOptions, ListOptions {
  readonly subject?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly bulk?: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: true;
}

const COLUMNS = [
  { title: 'TIME (UTC)', whole: true },
  { title: 'ACTOR' },
  { title: 'ACTION', whole: true },
  { title: 'SUBJECT', whole: true },
  { title: 'CHANGE' },
  { title: 'REASON' },
];
/** This column is shown only if an entry has a message. Only bans can have one. */
const MESSAGE_COLUMN = { title: 'MESSAGE' };

function createAuditListCommand(io: Io): Command {
  const command = createAdminCommand(
    'list',
    'List changes, newest first (--json has every field)',
    'audit list --subject key_zh3q4XDbm1NAs5NvTGuj',
    'audit list --actor alice --from 2026-11-01T00:00:00Z',
  )
    .option('--subject <id>', 'Filter by the id of the key, quota, plan or account that changed')
    .option(
      '--actor <name>',
      'Filter by the name of the token that made the change, or "system" for the gateway itself',
    )
    .option('--action <name>', 'Filter by action, such as key.create or ban.start')
    .option('--bulk <id>', 'Filter by a bulk change: its own entry, and that of each key')
    .option('--from <time>', 'Start time (inclusive), such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'End time (exclusive)')
    .option('--csv', 'Print CSV, with JSON in the columns "before" and "after"');
  return withListOptions(command).action((options: Options) => listEntries(io, options));
}

async function listEntries(io: Io, options: Options): Promise<void> {
  const { subject, actor, action, bulk: bulkId, from, to, json, csv } = options;
  if (json === true && csv === true) throw new UsageFailure('--json and --csv cannot be combined');
  const entries = await readList<AuditResponse>(
    connect(io),
    '/audit',
    { subject, actor, action, bulkId, from, to },
    options,
  );
  if (json === true) return printJson(io, entries);
  io.out(csv === true ? await formatCsv(entries.items) : formatText(entries.items, io.columns));
  printMoreHint(io, entries);
}

/** Formats CSV with the code of the admin API, which is loaded only when it is needed. */
async function formatCsv(entries: readonly AuditResponse[]): Promise<string> {
  const { formatAuditCsv } = await import('../control-plane/admin/resources/audit.ts');
  return formatAuditCsv(entries);
}

function formatText(entries: readonly AuditResponse[], columns: number | null): string {
  const rows = entries.map((entry) => {
    const { at, actor, action, subject, reason, message } = entry;
    return [formatTime(at), actor, action, subject, formatChange(entry), reason ?? '', message ?? ''];
  });
  if (rows.length === 0) return 'No audit entries found.\n';
  const hasMessages = entries.some(({ message }) => message !== null);
  return formatTable(hasMessages ? [...COLUMNS, MESSAGE_COLUMN] : COLUMNS, rows, columns);
}

/** Summarizes a change: the changed fields, the name of a new object, or the settings that a reload changed. */
function formatChange({ before, after }: AuditResponse): string {
  if (Array.isArray(after?.['changed'])) return after['changed'].join(', ');
  if (before === null) return typeof after?.['name'] === 'string' ? after['name'] : '';
  if (after === null) return '';
  return Object.keys(after)
    .filter((name) => Object.hasOwn(before, name))
    .map((name) => `${name} ${formatValue(before[name])} → ${formatValue(after[name])}`)
    .join(', ');
}

function formatValue(value: unknown): string {
  const { minute, day, month } = (value ?? {}) as Partial<Limits>;
  if (minute !== undefined && day !== undefined) return [minute, day, month ?? []].flat().join('/');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
