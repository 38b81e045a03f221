import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDateTime } from '../base/time.ts';
import type { KeyStatus } from '../base/credential.ts';
import type { KeyAnswer, NewKeyAnswer } from './admin-answers.ts';
import { connect, pathTo } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import {
  adminCommand,
  type AdminCommandOptions,
  noun,
  REASON,
  type ReasonOption,
  toCount,
  UsageFailure,
} from './command.ts';
import type { Io } from './io.ts';
import { keysImport } from './keys-import.ts';
import { day, limitsInWords, printJson, time } from './output.ts';
import { fields, table } from './table.ts';

export function keysCommand(io: Io): Command {
  return noun(
    'keys',
    'the API keys of consumers',
    keysCreate(io),
    keysList(io),
    keysShow(io),
    keysUpdate(io),
    keysRotate(io),
    keysRevoke(io),
    keysDisable(io),
    keysEnable(io),
    keysImport(io),
  );
}

interface CreateOptions extends AdminCommandOptions, ReasonOption {
  readonly owner: string;
  readonly name: string;
  readonly plan: string;
  readonly minute?: number;
  readonly day?: number;
  readonly expiresAt?: string;
}

function keysCreate(io: Io): Command {
  return adminCommand(
    'create',
    'create a key, and show its secret: this once',
    'keys create --owner acme --name "Shop backend" --plan pro',
    'keys create --owner acme --name Feed --plan enterprise --minute 5000 --day 2000000',
  )
    .requiredOption('--owner <who>', 'whose key it is; upstreams are told')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--plan <id>', 'the plan')
    .option('--minute <count>', 'requests a minute, where the plan is custom', toCount)
    .option('--day <count>', 'requests a day, where the plan is custom', toCount)
    .option('--expires-at <time>', 'when it ends, such as 2027-12-31T00:00:00Z', toDateTime)
    .option(...REASON)
    .addHelpText('after', '\nMany at once, from a CSV file: tollgate keys import')
    .action((options: CreateOptions) => create(io, options));
}

async function create(io: Io, { json, reason, minute, day, ...given }: CreateOptions): Promise<void> {
  const wanted = { ...given, ...limitsOf(minute, day) };
  const { body } = await connect(io).call<NewKeyAnswer>('POST', '/keys', { json: wanted, reason });
  if (json === true) return printJson(io, body);
  io.out(`Key ${body.id} of ${body.owner} is made, on the plan ${body.plan}.\n`);
  tellSecret(io, body);
}

interface ListKeysOptions extends AdminCommandOptions, ListOptions {
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: string;
  readonly search?: string;
}

function keysList(io: Io): Command {
  const command = adminCommand('list', 'list keys, newest first', 'keys list --plan pro --status active')
    .option('--owner <who>', 'only those of this owner')
    .option('--plan <id>', 'only those on this plan')
    .option('--search <text>', 'only those with this part of their name, owner, id or prefix, in any case', toSearch)
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'disabled', 'revoked']));
  return withListOptions(command).action((options: ListKeysOptions) => listKeys(io, options));
}

function toSearch(text: string): string {
  if (Array.from(text).length >= 3) return text;
  throw new InvalidArgumentError('It must have at least 3 characters.');
}

async function listKeys(io: Io, options: ListKeysOptions): Promise<void> {
  const { owner, plan, status, search: q } = options;
  const keys = await list<KeyAnswer>(connect(io), '/keys', { owner, plan, status, q }, options);
  if (options.json === true) return printJson(io, keys);
  io.out(keys.items.length === 0 ? 'No keys.\n' : keyTable(io, keys.items));
  printMore(io, keys);
}

function keysShow(io: Io): Command {
  return adminCommand('show', 'show a key', 'keys show key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'the id of the key')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<KeyAnswer>('GET', pathTo('keys', id));
  if (json === true) printJson(io, body);
  else io.out(keyFields(io, body));
}

interface UpdateOptions extends AdminCommandOptions, ReasonOption {
  readonly name?: string;
  readonly plan?: string;
  readonly minute?: number;
  readonly day?: number;
  readonly expiresAt?: string;
}

const NEVER = 'never';

function keysUpdate(io: Io): Command {
  return adminCommand(
    'update',
    'change a key, from its next request on; what is not named stays as it is',
    'keys update key_zh3q4XDbm1NAs5NvTGuj --plan business',
    'keys update key_zh3q4XDbm1NAs5NvTGuj --expires-at never --reason "paid for another year"',
  )
    .argument('<id>', 'the id of the key')
    .option('--name <name>', 'what it is for')
    .option('--plan <id>', 'the plan; the keys that it replaced get it too')
    .option('--minute <count>', 'requests a minute, where the plan is custom', toCount)
    .option('--day <count>', 'requests a day, where the plan is custom', toCount)
    .option('--expires-at <time>', 'when it ends, such as 2027-12-31T00:00:00Z, or "never"', toEnd)
    .option(...REASON)
    .action((id: string, options: UpdateOptions) => update(io, id, options));
}

async function update(
  io: Io,
  id: string,
  { json, reason, minute, day, expiresAt, ...given }: UpdateOptions,
): Promise<void> {
  const end = expiresAt === undefined ? {} : { expiresAt: expiresAt === NEVER ? null : expiresAt };
  const patch = { ...given, ...end, ...limitsOf(minute, day) };
  if (Object.keys(patch).length === 0) throw new UsageFailure('say what to change: --help lists what can be');
  const { body } = await connect(io).call<KeyAnswer>('PATCH', pathTo('keys', id), { json: patch, reason });
  if (json === true) printJson(io, body);
  else io.out(keyFields(io, body));
}

function toEnd(text: string): string {
  return text === NEVER ? NEVER : toDateTime(text);
}

interface RotateOptions extends AdminCommandOptions, ReasonOption {
  readonly graceSeconds?: number;
}

function keysRotate(io: Io): Command {
  return adminCommand(
    'rotate',
    'replace the secret of a key: the new one comes under a new id, the old one ends after a grace',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj --grace-seconds 0 --reason "found in a log"',
  )
    .argument('<id>', 'the id of the key')
    .option(
      '--grace-seconds <seconds>',
      'how long the old secret goes on: a day (86400) unless told, 0 for one that has leaked',
      toSeconds,
    )
    .option(...REASON)
    .action((id: string, options: RotateOptions) => rotate(io, id, options));
}

async function rotate(io: Io, id: string, { json, reason, graceSeconds }: RotateOptions): Promise<void> {
  const api = connect(io);
  const { body } = await api.call<NewKeyAnswer>('POST', pathTo('keys', id, 'rotate'), {
    json: { graceSeconds },
    reason,
  });
  if (json === true) return printJson(io, body);
  io.out(`Key ${body.id} replaces ${id}. `);
  // The new secret exists now and can be shown only here: show it before anything else can fail.
  tellSecret(io, body);
  const { expiresAt } = (await api.call<KeyAnswer>('GET', pathTo('keys', id))).body;
  const ended = expiresAt !== null && Date.parse(expiresAt) <= io.now();
  io.out(ended ? `The old one has ended.\n` : `The old one works until ${time(expiresAt ?? '')} UTC.\n`);
}

function toSeconds(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, 0 or more.');
}

function keysRevoke(io: Io): Command {
  return statusVerb(io, {
    name: 'revoke',
    what: 'revoke a key, for good',
    status: 'revoked',
    done: 'is revoked, for good',
  });
}

function keysDisable(io: Io): Command {
  return statusVerb(io, {
    name: 'disable',
    what: 'take a key out of service, until it is enabled again',
    status: 'disabled',
    done: 'is disabled, and so is any key that it replaced: "tollgate keys enable" takes that back, key by key',
  });
}

function keysEnable(io: Io): Command {
  return statusVerb(io, {
    name: 'enable',
    what: 'put a disabled key back into service',
    status: 'active',
    done: 'is active',
  });
}

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: KeyStatus;
  /** The key's new state, for the message. */
  readonly done: string;
}

interface ChainOption {
  readonly chain?: true;
}

/** A verb that sets the status of one key. */
function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
  return adminCommand(name, what, `keys ${name} key_zh3q4XDbm1NAs5NvTGuj`)
    .argument('<id>', 'the id of the key')
    .option('--chain', 'also the keys that replaced it; those that it replaced go with it anyway, unless it is enabled')
    .option(...REASON)
    .action(async (id: string, { json, reason, chain }: AdminCommandOptions & ReasonOption & ChainOption) => {
      const path = chain === true ? `${pathTo('keys', id)}?chain=true` : pathTo('keys', id);
      const { body } = await connect(io).call<KeyAnswer>('PATCH', path, { json: { status }, reason });
      if (json === true) printJson(io, body);
      else {
        const isExpired = statusOf(body, io.now()) === 'expired';
        const ended = isExpired ? `, but it expired at ${time(body.expiresAt ?? '')} UTC` : '';
        io.out(`Key ${body.id} of ${body.owner} ${done}${ended}.\n`);
      }
    });
}

/** @throws InvalidArgumentError, which Commander reports with the option's name */
export function toDateTime(text: string): string {
  if (isDateTime(text)) return text;
  throw new InvalidArgumentError('It must be a date-time with its offset, such as 2027-12-31T00:00:00Z.');
}

/** The limits of a key on a custom plan, as the API has them; nothing if none are given. @throws UsageFailure */
function limitsOf(minute: number | undefined, day: number | undefined) {
  if ((minute === undefined) !== (day === undefined)) throw new UsageFailure('--minute and --day go together');
  return minute === undefined || day === undefined ? {} : { limits: { minute, day } };
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'NAME' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'EXPIRES', whole: true },
  { title: 'LAST USED', whole: true },
];

function keyTable(io: Io, keys: readonly KeyAnswer[]): string {
  return table(
    COLUMNS,
    keys.map((key) => [
      key.id,
      key.owner,
      key.name,
      key.plan,
      statusOf(key, io.now()),
      day(key.expiresAt),
      day(key.lastUsedAt),
    ]),
    io.columns,
  );
}

function keyFields(io: Io, key: KeyAnswer): string {
  const utc = (text: string | null) => (text === null ? 'never' : `${time(text)} UTC`);
  const metadata = Object.entries(key.metadata).map(([name, value]) => [name, value] as const);
  return fields([
    ['id', key.id],
    ['name', key.name],
    ['owner', key.owner],
    ['plan', key.plan],
    ['limits', key.limits === null ? 'those of the plan' : limitsInWords(key.limits)],
    ['status', statusOf(key, io.now())],
    ['secret', `${key.prefix}…${key.lastFour}`],
    ['created', utc(key.createdAt)],
    ['expires', utc(key.expiresAt)],
    ['last used', utc(key.lastUsedAt)],
    ['counts as', key.quotaId],
    ['replaced by', key.rotatedTo ?? 'none'],
    ...metadata,
  ]);
}

/** An expired key is refused, although its stored status is still active. */
function statusOf({ status, expiresAt }: KeyAnswer, now: number): string {
  return status === 'active' && expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : status;
}

/** Shows the secret, which happens only this once. */
function tellSecret(io: Io, { key }: NewKeyAnswer): void {
  io.out(`Its secret is shown this once, and kept nowhere:\n\n  ${key}\n\n`);
}
