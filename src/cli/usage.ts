import { type Command, Option } from 'commander';
import { WINDOW_NAMES, type WindowName } from '../domain/quota-limits.ts';
import type { DeletedResponse, UsageResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup, toReason } from './command.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatTable } from './table.ts';
import { createUsageHistoryCommand } from './usage-history.ts';

export function createUsageCommand(io: Io): Command {
  return createCommandGroup(
    'usage',
    'Show usage, quotas and history (default: show)',
    createUsageResetCommand(io),
    createUsageHistoryCommand(io),
    createUsageDeleteCommand(io),
  ).addCommand(createUsageShowCommand(io), { isDefault: true });
}

function createUsageShowCommand(io: Io): Command {
  return createAdminCommand('show', 'Show the quota usage of a key, and its ban', 'usage key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'Key id')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<UsageResponse>('GET', joinPath('keys', id, 'usage'));
  if (json === true) printJson(io, body);
  else io.out(formatUsage(body));
}

interface ResetOptions extends AdminCommandOptions {
  readonly window?: WindowName;
  readonly reason: string;
}

function createUsageResetCommand(io: Io): Command {
  return createAdminCommand(
    'reset',
    'Reset the windows of a key and clear its strikes; an active ban stays in effect',
    'usage reset key_zh3q4XDbm1NAs5NvTGuj --reason "our client library looped"',
  )
    .argument('<id>', 'Key id')
    .addOption(new Option('--window <name>', 'Reset only this window').choices(WINDOW_NAMES))
    .requiredOption('--reason <text>', 'Reason for the audit log', toReason)
    .action((id: string, options: ResetOptions) => reset(io, id, options));
}

async function reset(io: Io, id: string, { json, reason, window }: ResetOptions): Promise<void> {
  const { body } = await connect(io).call<UsageResponse>('POST', joinPath('keys', id, 'usage', 'reset'), {
    query: { window },
    json: { reason },
  });
  if (json === true) printJson(io, body);
  else io.out(formatUsage(body));
}

interface DeleteOptions extends AdminCommandOptions {
  readonly owner: string;
  readonly reason: string;
}

function createUsageDeleteCommand(io: Io): Command {
  return createAdminCommand(
    'delete',
    'Delete the history of an owner permanently; quotas, bans and the audit log are kept',
    'usage delete --owner acme --reason "asked for it, ticket 4711"',
  )
    .requiredOption('--owner <owner>', 'Owner of the keys')
    .requiredOption('--reason <text>', 'Reason for the audit log', toReason)
    .action((options: DeleteOptions) => remove(io, options));
}

async function remove(io: Io, { json, owner, reason }: DeleteOptions): Promise<void> {
  const { body } = await connect(io).call<DeletedResponse>('DELETE', '/usage', { query: { owner }, json: { reason } });
  if (json === true) return printJson(io, body);
  io.out(
    body.keys === 0
      ? `${owner} has no keys: nothing to delete. To see all owners, run "tollgate owners list".\n`
      : `Deleted the history of ${pluralize(body.keys, 'key')} of ${owner} (${pluralize(body.rows, 'row')}).\n`,
  );
}

const COLUMNS = [
  { title: 'WINDOW', whole: true },
  { title: 'USED', whole: true, right: true },
  { title: 'LIMIT', whole: true, right: true },
  { title: 'REMAINING', whole: true, right: true },
  { title: 'RESETS (UTC)', whole: true },
];

const LOCAL_COUNTS_ONLY =
  'Redis is unavailable. These figures are for this gateway alone: its own counts, and its share of the limits.\n';

function formatUsage({ keyId, quotaId, plan, windows, ban, degraded }: UsageResponse): string {
  const rows = windows.map(({ name, used, limit, remaining, resetsAt }) => {
    return [name, ...[used, limit, remaining].map(String), formatTime(resetsAt)];
  });
  const chain = quotaId === keyId ? '' : `, shares the quota ${quotaId}`;
  const banned =
    ban === null ? 'Not banned.' : `Banned until ${formatTime(ban.until)} UTC${ban.manual ? ' (manual)' : ''}.`;
  return `Key ${keyId}, plan ${plan}${chain}\n\n${formatTable(COLUMNS, rows, null)}\n${banned}\n${degraded === true ? LOCAL_COUNTS_ONLY : ''}`;
}
