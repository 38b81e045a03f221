import { type Command, Option } from 'commander';
import { WINDOW_NAMES, type WindowName } from '../domain/quota-limits.ts';
import type { DeletedAnswer, UsageAnswer } from './admin-api-types.ts';
import { connect, pathTo } from './admin-api.ts';
import { adminCommand, type AdminCommandOptions, noun, toReason } from './command.ts';
import type { Io } from './io.ts';
import { count, printJson, time } from './output.ts';
import { table } from './table.ts';
import { usageHistory } from './usage-history.ts';

export function usageCommand(io: Io): Command {
  return noun(
    'usage',
    'Show usage, quotas and history (default: show)',
    usageReset(io),
    usageHistory(io),
    usageDelete(io),
  ).addCommand(usageShow(io), { isDefault: true });
}

function usageShow(io: Io): Command {
  return adminCommand('show', 'Show the quota usage of a key, and its ban', 'usage key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'Key id')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<UsageAnswer>('GET', pathTo('keys', id, 'usage'));
  if (json === true) printJson(io, body);
  else io.out(usageText(body));
}

interface ResetOptions extends AdminCommandOptions {
  readonly window?: WindowName;
  readonly reason: string;
}

function usageReset(io: Io): Command {
  return adminCommand(
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
  const { body } = await connect(io).call<UsageAnswer>('POST', pathTo('keys', id, 'usage', 'reset'), {
    query: { window },
    json: { reason },
  });
  if (json === true) printJson(io, body);
  else io.out(usageText(body));
}

interface DeleteOptions extends AdminCommandOptions {
  readonly owner: string;
  readonly reason: string;
}

function usageDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'Delete the history of an owner permanently; quotas, bans and the audit log are kept',
    'usage delete --owner acme --reason "asked for it, ticket 4711"',
  )
    .requiredOption('--owner <owner>', 'Owner of the keys')
    .requiredOption('--reason <text>', 'Reason for the audit log', toReason)
    .action((options: DeleteOptions) => remove(io, options));
}

async function remove(io: Io, { json, owner, reason }: DeleteOptions): Promise<void> {
  const { body } = await connect(io).call<DeletedAnswer>('DELETE', '/usage', { query: { owner }, json: { reason } });
  if (json === true) return printJson(io, body);
  io.out(
    body.keys === 0
      ? `${owner} has no keys: nothing to delete. To see all owners, run "tollgate owners list".\n`
      : `Deleted the history of ${count(body.keys, 'key')} of ${owner} (${count(body.rows, 'row')}).\n`,
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

function usageText({ keyId, quotaId, plan, windows, ban, degraded }: UsageAnswer): string {
  const rows = windows.map(({ name, used, limit, remaining, resetsAt }) => {
    return [name, ...[used, limit, remaining].map(String), time(resetsAt)];
  });
  const chain = quotaId === keyId ? '' : `, shares the quota ${quotaId}`;
  const banned = ban === null ? 'Not banned.' : `Banned until ${time(ban.until)} UTC${ban.manual ? ' (manual)' : ''}.`;
  return `Key ${keyId}, plan ${plan}${chain}\n\n${table(COLUMNS, rows, null)}\n${banned}\n${degraded === true ? LOCAL_COUNTS_ONLY : ''}`;
}
