import { type Command, Option } from 'commander';
import type { BanResponse, UsageResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, createSortOption, withListOptions } from './admin-list.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  toCount,
  toMessage,
  toReason,
} from './command.ts';
import type { Io } from './io.ts';
import { BULK_HELP, type BulkOptions, type BulkVerb, changeMany, findSingleKey, withBulkOptions } from './keys-bulk.ts';
import { printJson, formatTime } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatTable } from './table.ts';

export function createBansCommand(io: Io): Command {
  return createCommandGroup(
    'bans',
    'Manage bans',
    createBansListCommand(io),
    createBansAddCommand(io),
    createBansLiftCommand(io),
  );
}

interface ListBansOptions extends AdminCommandOptions, ListOptions {
  readonly key?: string;
  readonly owner?: string;
  readonly status?: string;
  readonly sort?: string;
}

const COLUMNS = [
  { title: 'KEY', whole: true },
  { title: 'STATUS', whole: true },
  { title: 'FROM (UTC)', whole: true },
  { title: 'UNTIL (UTC)', whole: true },
  { title: 'ACTOR' },
  { title: 'REASON' },
  { title: 'MESSAGE' },
];

/** The options of `add` and `lift`. */
const REASON_OPTION = [
  '--reason <text>',
  'Reason for operators, in the list of bans and the audit log',
  toReason,
] as const;
const MESSAGE_OPTION = [
  '--message <text>',
  'Message for the customer, in the portal and in events',
  toMessage,
] as const;

function createBansListCommand(io: Io): Command {
  const status = new Option('--status <status>', 'Filter by status').choices([
    'active',
    'expired',
    'lifted',
    'replaced',
  ]);
  const command = createAdminCommand(
    'list',
    'List bans, active and ended, newest first (--json has the evidence)',
    'bans list --status active --sort until',
  );
  command
    .option('--key <id>', 'Filter by key')
    .option('--owner <owner>', 'Filter by owner')
    .addOption(status)
    .addOption(createSortOption('from', 'until', 'length', 'actor'))
    .addHelpText('after', '\nOnly active bans (--status active) can be sorted by until, length and actor.');
  return withListOptions(command).action((options: ListBansOptions) => listBans(io, options));
}

async function listBans(io: Io, options: ListBansOptions): Promise<void> {
  const { key, owner, status, sort } = options;
  const bans = await readList<BanResponse>(connect(io), '/bans', { key, owner, status, sort }, options);
  if (options.json === true) return printJson(io, bans);
  const rows = bans.items.map((ban) => [
    ban.keyId,
    ban.status,
    formatTime(ban.from),
    formatTime(ban.until),
    ban.actor,
    ban.reason ?? '',
    ban.message ?? '',
  ]);
  io.out(
    rows.length === 0
      ? status === 'active'
        ? 'No active bans.\n'
        : 'No bans found.\n'
      : formatTable(COLUMNS, rows, io.columns),
  );
  printMoreHint(io, bans);
}

interface AddOptions extends BulkOptions {
  readonly seconds: number;
  readonly reason: string;
  readonly message?: string;
}

const BAN: BulkVerb = {
  action: 'ban',
  words: ['bans', 'add'],
  question: (keys) => `Ban ${keys}?`,
  done: (changed) => `Started ${pluralize(changed, 'ban')}`,
  undo: ['bans', 'lift'],
};

function createBansAddCommand(io: Io): Command {
  const command = createAdminCommand(
    'add',
    'Ban keys; takes effect with their next request and replaces any active ban',
    'bans add key_zh3q4XDbm1NAs5NvTGuj --seconds 3600 --reason scraping --message "Please use the export instead."',
    'bans add --owner acme --seconds 3600 --reason scraping',
  )
    .argument('[ids...]', 'Key ids, or use a filter; a ban covers all keys of the rotation chain or account')
    .requiredOption('--seconds <count>', 'Duration in seconds', toCount)
    .requiredOption(...REASON_OPTION)
    .option(...MESSAGE_OPTION)
    .addHelpText('after', BULK_HELP);
  return withBulkOptions(command).action(async (ids: string[], options: AddOptions) => {
    const id = findSingleKey(ids, options);
    await (id === null ? changeMany(io, BAN, ids, options) : add(io, id, options));
  });
}

async function add(io: Io, id: string, { json, seconds, reason, message }: AddOptions): Promise<void> {
  const request = { json: { seconds, reason, message } };
  const { body } = await connect(io).call<BanResponse>('PUT', joinPath('keys', id, 'ban'), request);
  if (json === true) printJson(io, body);
  else io.out(`Banned key ${body.keyId} until ${formatTime(body.until)} UTC.\n`);
}

interface LiftOptions extends BulkOptions {
  readonly reason: string;
  readonly message?: string;
}

const LIFT: BulkVerb = {
  action: 'lift',
  words: ['bans', 'lift'],
  question: (keys) => `Lift the bans on ${keys}?`,
  done: (changed) => `Lifted ${pluralize(changed, 'ban')}`,
};

function createBansLiftCommand(io: Io): Command {
  const command = createAdminCommand(
    'lift',
    'Lift the bans on keys and clear their strikes',
    'bans lift key_zh3q4XDbm1NAs5NvTGuj --reason "they fixed their client"',
    'bans lift --owner acme --reason "they fixed their client"',
  )
    .argument('[ids...]', 'Key ids, or use a filter; any key of the rotation chain or account will do')
    .requiredOption(...REASON_OPTION)
    .option(...MESSAGE_OPTION)
    .addHelpText('after', BULK_HELP);
  return withBulkOptions(command).action(async (ids: string[], options: LiftOptions) => {
    const id = findSingleKey(ids, options);
    await (id === null ? changeMany(io, LIFT, ids, options) : lift(io, id, options));
  });
}

async function lift(io: Io, id: string, { json, reason, message }: LiftOptions): Promise<void> {
  const api = connect(io);
  const { ban } = (await api.call<UsageResponse>('GET', joinPath('keys', id, 'usage'))).body;
  await api.call('DELETE', joinPath('keys', id, 'ban'), { json: { reason, message } });
  if (json === true) printJson(io, { keyId: id, lifted: ban });
  else io.out(ban === null ? `Key ${id} was not banned. Cleared its strikes.\n` : `Lifted the ban on key ${id}.\n`);
}
