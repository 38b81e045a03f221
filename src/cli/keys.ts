import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDateTime } from '../base/time.ts';
import type { Limits } from '../domain/quota-limits.ts';
import type { KeyStatus } from '../domain/credential.ts';
import type { KeyResponse, NewKeyResponse } from './admin-api-types.ts';
import { type AdminApi, connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, createSortOption, withListOptions } from './admin-list.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  REASON_OPTION,
  type ReasonOption,
  toCount,
} from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import {
  hasFilter,
  KEY_KINDS,
  confirm,
  formatKeyTable,
  toStatusQuery,
  formatStatus,
  parseAgeOption,
  toSearch,
  withAgeFilter,
  withKeyFilter,
} from './key-filter.ts';
import { BULK_HELP, type BulkOptions, type BulkVerb, changeMany, findSingleKey, withBulkOptions } from './keys-bulk.ts';
import { createKeysImportCommand } from './keys-import.ts';
import { rotateMany, type RotateManyOptions } from './keys-rotate-many.ts';
import { formatLimits, printJson, formatTime } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatFields } from './table.ts';

export function createKeysCommand(io: Io): Command {
  return createCommandGroup(
    'keys',
    'Manage API keys',
    createKeysCreateCommand(io),
    createKeysListCommand(io),
    createKeysShowCommand(io),
    createKeysUpdateCommand(io),
    createKeysRotateCommand(io),
    createKeysRevokeCommand(io),
    createKeysDisableCommand(io),
    createKeysEnableCommand(io),
    createKeysForgetCommand(io),
    createKeysImportCommand(io),
  );
}

/** The options that `create` and `update` have in common. */
interface TermsOptions extends AdminCommandOptions, ReasonOption {
  readonly minute?: number;
  readonly day?: number;
  readonly expiresAt?: string;
}

const NAME_OPTION = ['--name <name>', 'Name that says what the key is for'] as const;
const MINUTE_OPTION = ['--minute <count>', 'Requests per minute, for a custom plan', toCount] as const;
const DAY_OPTION = ['--day <count>', 'Requests per day, for a custom plan', toCount] as const;
const CONCURRENT = 'Requests in flight at once, on one gateway';
const VALIDATION = 'Only count requests that do not fit the document ("report")';
const EXPIRY = 'Expiry time, such as 2027-12-31T00:00:00Z';

interface CreateOptions extends TermsOptions {
  readonly owner?: string;
  readonly name?: string;
  readonly plan?: string;
  readonly token?: string;
  readonly caller?: string;
  readonly claim?: string;
  readonly month?: number;
  readonly concurrent?: number;
  readonly operations?: readonly string[];
  readonly addresses?: readonly string[];
  readonly validation?: 'report';
}

function createKeysCreateCommand(io: Io): Command {
  return createAdminCommand(
    'create',
    'Create a key and show its secret once',
    'keys create --owner acme --name "Shop backend" --plan pro',
    'keys create --owner acme --name Feed --plan enterprise --minute 5000 --day 2000000',
    'keys create --token corp --caller app-1 --plan pro',
  )
    .option('--owner <owner>', 'Owner of the key; sent to upstreams')
    .option(...NAME_OPTION)
    .option('--plan <id>', 'Plan id')
    .option('--token <name>', 'Token issuer of a caller with access tokens; then owner, name and plan have defaults')
    .option('--caller <value>', "Value of the claim that names the caller, such as an app's client id")
    .option('--claim <claim>', "Claim that names the caller (default: the issuer's first)")
    .option(...MINUTE_OPTION)
    .option(...DAY_OPTION)
    .option('--month <count>', 'Requests per month, for a custom plan (default: no limit)', toCount)
    .option('--concurrent <count>', `${CONCURRENT} (default: as many as the plan allows)`, toCount)
    .option(
      '--operations <list>',
      'Restrict the key to these operations: a comma-separated list of operation ids and tag:NAME',
      toList,
    )
    .option(
      '--addresses <list>',
      'IP addresses that may use the key: a comma-separated list of addresses and CIDR ranges',
      toList,
    )
    .addOption(new Option('--validation <mode>', VALIDATION).choices(['report']))
    .option('--expires-at <time>', EXPIRY, toDateTime)
    .option(...REASON_OPTION)
    .addHelpText('after', '\nTo create many keys from a CSV file, use "tollgate keys import".')
    .action((options: CreateOptions) => create(io, options));
}

async function create(io: Io, options: CreateOptions): Promise<void> {
  const { json, reason, minute, day, month, token, caller, claim, ...given } = options;
  const kind = parseCaller(options);
  const newKey = { ...given, ...kind, ...parseLimits({ minute, day, month }) };
  const { body } = await connect(io).call<NewKeyResponse>('POST', '/keys', { json: newKey, reason });
  if (json === true) return printJson(io, body);
  io.out(`Created key ${body.id} for ${body.owner} (plan ${body.plan}).\n`);
  if (token === undefined) printSecret(io, body);
  else io.out('It has no secret: its access tokens are accepted from now on.\n');
}

/** The fields of a caller; empty for a key with a secret. @throws UsageFailure if an option is missing */
function parseCaller({ token, caller, claim, owner, name, plan }: CreateOptions) {
  if (token === undefined) {
    if (caller !== undefined || claim !== undefined) throw new UsageFailure('--caller and --claim require --token');
    const missing = [
      [owner, '--owner <owner>'],
      [name, '--name <name>'],
      [plan, '--plan <id>'],
    ].find(([value]) => value === undefined);
    if (missing !== undefined) throw new UsageFailure(`required option '${missing[1]}' not specified`);
    return {};
  }
  if (caller === undefined) throw new UsageFailure('--token requires --caller');
  return { kind: 'token', token: { name: token, caller, ...(claim === undefined ? {} : { claim }) } };
}

interface ListKeysOptions extends AdminCommandOptions, ListOptions {
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: string;
  readonly kind?: string;
  readonly token?: string;
  readonly search?: string;
  readonly unusedFor?: string;
  readonly expiresWithin?: string;
  readonly sort?: string;
}

function createKeysListCommand(io: Io): Command {
  const command = createAdminCommand(
    'list',
    'List keys, newest first',
    'keys list --plan pro --status active',
    'keys list --expires-within 14d --sort expiresAt',
    'keys list --token corp --sort -lastUsedAt',
  )
    .option('--owner <owner>', 'Filter by owner')
    .option('--plan <id>', 'Filter by plan')
    .option('--search <text>', 'Filter by part of the name, owner, id or prefix (at least 3 characters)', toSearch)
    .option('--unused-for <duration>', 'Filter by keys not used for this long, such as 90d', parseAgeOption)
    .option('--expires-within <duration>', 'Filter by keys that expire within this time, such as 14d', parseAgeOption)
    .addOption(
      new Option('--status <status>', 'Filter by status').choices([
        'active',
        'expired',
        'rotating',
        'banned',
        'disabled',
        'revoked',
      ]),
    )
    .addOption(new Option('--kind <kind>', 'Filter by kind: token for callers with access tokens').choices(KEY_KINDS))
    .option('--token <name>', 'Filter by token issuer: its callers')
    .addOption(createSortOption('createdAt', 'name', 'owner', 'plan', 'status', 'expiresAt', 'lastUsedAt'));
  return withListOptions(command).action((options: ListKeysOptions) => listKeys(io, options));
}

async function listKeys(io: Io, options: ListKeysOptions): Promise<void> {
  const { owner, plan, status, kind, token, search: q, unusedFor, expiresWithin, sort } = options;
  const query = { owner, plan, kind, token, q, unusedFor, expiresWithin, sort, ...toStatusQuery(status) };
  // The API counts expired keys as active.
  const isWanted = (key: KeyResponse) => status !== 'active' || formatStatus(key, io.now()) === 'active';
  const keys = await readList<KeyResponse>(connect(io), '/keys', query, options, isWanted);
  if (options.json === true) return printJson(io, keys);
  io.out(keys.items.length === 0 ? 'No keys found.\n' : formatKeyTable(io, keys.items));
  printMoreHint(io, keys);
}

function createKeysShowCommand(io: Io): Command {
  return createAdminCommand('show', 'Show a key', 'keys show key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'Key id')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<KeyResponse>('GET', joinPath('keys', id));
  if (json === true) printJson(io, body);
  else io.out(formatKey(io, body));
}

interface UpdateOptions extends TermsOptions {
  readonly name?: string;
  readonly plan?: string;
  readonly month?: number | typeof NONE;
  readonly concurrent?: number | typeof NONE;
  readonly operations?: readonly string[] | typeof ALL;
  readonly addresses?: readonly string[] | typeof ALL;
  readonly validation?: 'report' | typeof NONE;
}

const NEVER = 'never';
const NONE = 'none';
const ALL = 'all';

function createKeysUpdateCommand(io: Io): Command {
  return createAdminCommand(
    'update',
    'Change a key; takes effect with its next request',
    'keys update key_zh3q4XDbm1NAs5NvTGuj --plan business',
    'keys update key_zh3q4XDbm1NAs5NvTGuj --expires-at never --reason "paid for another year"',
  )
    .argument('<id>', 'Key id')
    .option(...NAME_OPTION)
    .option('--plan <id>', 'Plan id; also applies to the keys that it replaced')
    .option(...MINUTE_OPTION)
    .option(...DAY_OPTION)
    .option('--month <count>', 'Requests per month, for a custom plan, or "none"', toCountOrNone)
    .option('--concurrent <count>', `${CONCURRENT}, or "none"`, toCountOrNone)
    .option('--operations <list>', 'A comma-separated list of operation ids and tag:NAME, or "all"', toListOrAll)
    .option('--addresses <list>', 'A comma-separated list of IP addresses and CIDR ranges, or "all"', toListOrAll)
    .addOption(new Option('--validation <mode>', `${VALIDATION}, or "none"`).choices(['report', NONE]))
    .option('--expires-at <time>', `${EXPIRY}, or "never"`, toEnd)
    .option(...REASON_OPTION)
    .action((id: string, options: UpdateOptions) => update(io, id, options));
}

async function update(
  io: Io,
  id: string,
  {
    json,
    reason,
    minute,
    day,
    month,
    concurrent,
    expiresAt,
    operations,
    addresses,
    validation,
    ...named
  }: UpdateOptions,
): Promise<void> {
  const requestedLimits = { minute, day, month };
  const restrictions = {
    ...(concurrent === undefined ? {} : { concurrent }),
    ...(operations === undefined ? {} : { operations }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(validation === undefined ? {} : { validation }),
  };
  const properties = { ...named, ...parseRestrictions(restrictions) };
  const end = expiresAt === undefined ? {} : { expiresAt: expiresAt === NEVER ? null : expiresAt };
  if (Object.values({ ...properties, ...end, ...requestedLimits }).every((value) => value === undefined))
    throw new UsageFailure(
      'nothing to update: give at least one of --name, --plan, --minute, --day, --month, --concurrent, --operations, ' +
        '--addresses, --validation and --expires-at',
    );
  const api = connect(io);
  const { ifMatch, ...limits } = await readNewLimits(api, id, requestedLimits);
  const input = { json: { ...properties, ...end, ...limits }, reason, ...(ifMatch === undefined ? {} : { ifMatch }) };
  const { body } = await api.call<KeyResponse>('PATCH', joinPath('keys', id), input);
  if (json === true) printJson(io, body);
  else io.out(formatKey(io, body));
}

interface WantedLimits {
  readonly minute: number | undefined;
  readonly day: number | undefined;
  readonly month: number | typeof NONE | undefined;
}

/**
 * The limits to send in an update; empty if no limit is given. The API replaces all limits together, so limits that are
 * not given are read from the key.
 *
 * @returns also the entity tag of the key if its limits were read
 */
async function readNewLimits(
  api: AdminApi,
  id: string,
  { minute, day, month }: WantedLimits,
): Promise<{ readonly limits?: Limits; readonly ifMatch?: string }> {
  const givenCount = [minute, day, month].filter((limit) => limit !== undefined).length;
  const newMonth = month === NONE ? undefined : month;
  if (givenCount === 0 || givenCount === 3) return parseLimits({ minute, day, month: newMonth });
  const { body, etag } = await api.call<KeyResponse>('GET', joinPath('keys', id));
  const present = body.limits;
  const limits = parseLimits({
    minute: minute ?? present?.minute,
    day: day ?? present?.day,
    month: month === undefined ? present?.month : newMonth,
  });
  return { ...limits, ifMatch: etag };
}

function toList(text: string): readonly string[] {
  const list = text.split(',').map((each) => each.trim());
  if (list.every((each) => each !== '')) return list;
  throw new InvalidArgumentError('Use entries separated by single commas.');
}

function toListOrAll(text: string): readonly string[] | typeof ALL {
  return text === ALL ? ALL : toList(text);
}

/** Converts "all" and "none" to null, which means no restriction in the API. */
function parseRestrictions(given: Pick<UpdateOptions, 'concurrent' | 'operations' | 'addresses' | 'validation'>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === ALL || value === NONE ? null : value]),
  );
}

function toCountOrNone(text: string): number | typeof NONE {
  return text === NONE ? NONE : toCount(text);
}

function toEnd(text: string): string {
  return text === NEVER ? NEVER : toDateTime(text);
}

interface RotateOptions extends RotateManyOptions {
  readonly graceSeconds?: number;
  readonly graceUntil?: 'quiet';
}

function createKeysRotateCommand(io: Io): Command {
  const command = createAdminCommand(
    'rotate',
    'Replace keys with new ones; the old ones work until their grace period ends',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj --grace-seconds 0 --reason "found in a log"',
    'keys rotate --owner acme --output secrets.csv',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj --grace-until quiet',
  )
    .argument('[id]', 'Key id; or use a filter')
    .option(
      '--grace-seconds <seconds>',
      'Grace period of the old key in seconds; use 0 for a leaked key (default: 86400, a day)',
      toSeconds,
    )
    .addOption(
      new Option('--grace-until <event>', 'End the old key once it is no longer used')
        .choices(['quiet'])
        .conflicts('graceSeconds'),
    )
    .option('--output <file>', 'New file for the secrets of many keys')
    .option(
      '--created-before <time>',
      'Only keys created before this time, to resume an interrupted rotation',
      toDateTime,
    )
    .option(...REASON_OPTION)
    .addHelpText('after', ROTATE_HELP);
  return withAgeFilter(withKeyFilter(command)).action(async (id: string | undefined, options: RotateOptions) => {
    const { graceSeconds, graceUntil, unusedFor, expiresWithin } = options;
    const isFiltered = hasFilter(options) || unusedFor !== undefined || expiresWithin !== undefined;
    if (id !== undefined && isFiltered) throw new UsageFailure('give either the id of a key or a filter');
    if (id !== undefined) return rotate(io, id, options);
    if (!isFiltered) throw new UsageFailure(`give the id of a key, or at least one of ${ROTATE_FILTERS}`);
    await rotateMany(io, options, {
      body: { graceSeconds, graceUntil },
      options: { 'grace-seconds': graceSeconds, 'grace-until': graceUntil },
    });
  });
}

const ROTATE_FILTERS = '--owner, --plan, --search, --unused-for and --expires-within';

const ROTATE_HELP = `
With a filter, all active keys that match are rotated after a confirmation. Their secrets are written to a new CSV file that only
you can read.`;

async function rotate(io: Io, id: string, { json, reason, graceSeconds, graceUntil }: RotateOptions): Promise<void> {
  const api = connect(io);
  const { body } = await api.call<NewKeyResponse>('POST', joinPath('keys', id, 'rotate'), {
    json: { graceSeconds, graceUntil },
    reason,
  });
  if (json === true) return printJson(io, body);
  io.out(`Created key ${body.id} to replace ${id}.\n`);
  // Print the secret before anything else can fail, because it cannot be shown again.
  printSecret(io, body);
  const { expiresAt } = (await api.call<KeyResponse>('GET', joinPath('keys', id))).body;
  const ended = expiresAt !== null && Date.parse(expiresAt) <= io.now();
  const end = `${formatTime(expiresAt ?? '')} UTC`;
  if (ended) io.out('The old key no longer works.\n');
  else if (graceUntil === undefined) io.out(`The old key works until ${end}.\n`);
  else {
    io.out(
      `The old key works until it is no longer used, but no later than ${end}.\n` +
        `To see who still uses it, run "tollgate keys show ${id}".\n`,
    );
  }
}

function toSeconds(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number of seconds, 0 or more.');
}

function createKeysRevokeCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'revoke',
    what: 'Revoke keys permanently',
    status: 'revoked',
    done: 'Revoked',
    question: (keys) => `Revoke ${keys} permanently?`,
  });
}

function createKeysDisableCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'disable',
    what: 'Disable keys until they are enabled again',
    status: 'disabled',
    done: 'Disabled',
    question: (keys) => `Disable ${keys}?`,
    undo: ['keys', 'enable'],
    next: (id) =>
      `Any keys that it replaced are disabled too. To undo, run "tollgate keys enable ${id}", for this key and for each of those.`,
  });
}

function createKeysEnableCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'enable',
    what: 'Enable disabled keys',
    status: 'active',
    done: 'Enabled',
    question: (keys) => `Enable ${keys}?`,
    undo: ['keys', 'disable'],
  });
}

function createKeysForgetCommand(io: Io): Command {
  return createAdminCommand(
    'forget',
    'Delete a caller with access tokens, and what names it in history, events and audit log',
    'keys forget key_zh3q4XDbm1NAs5NvTGuj --reason "request of 3 May"',
  )
    .argument('<id>', 'Key id of the caller')
    .option('--yes', 'Skip the confirmation prompt')
    .option(...REASON_OPTION)
    .action((id: string, options: ForgetOptions) => forget(io, id, options));
}

interface ForgetOptions extends AdminCommandOptions, ReasonOption {
  readonly yes?: true;
}

async function forget(io: Io, id: string, { json, reason, ...agreed }: ForgetOptions): Promise<void> {
  if (!(await confirm(io, agreed, `Forget key ${id}? This cannot be undone.`))) {
    if (json === true) return printJson(io, { forgotten: false });
    return io.out('Canceled. Nothing was deleted.\n');
  }
  await connect(io).call('POST', joinPath('keys', id, 'forget'), { reason });
  if (json === true) return printJson(io, { forgotten: true });
  io.out(`Forgot key ${id}. If its next access token is accepted, the caller is created again.\n`);
}

interface StatusVerb extends Pick<BulkVerb, 'question' | 'undo'> {
  readonly name: 'revoke' | 'disable' | 'enable';
  readonly what: string;
  readonly status: KeyStatus;
  /** The verb in the past tense, which begins the message after the change. */
  readonly done: string;
  /** Returns a hint to print after the change. */
  readonly next?: (id: string) => string;
}

interface StatusOptions extends BulkOptions {
  readonly chain?: true;
}

/** Creates a command that sets the status of keys. */
function createStatusCommand(io: Io, verb: StatusVerb): Command {
  const { name, what, done, question, undo } = verb;
  const command = createAdminCommand(
    name,
    what,
    `keys ${name} key_zh3q4XDbm1NAs5NvTGuj`,
    `keys ${name} --owner acme --reason "order 4711"`,
    ...(name === 'enable' ? [] : [`keys ${name} --unused-for 365d --dry-run`]),
  )
    .argument('[ids...]', 'Key ids; or use a filter')
    .option(
      '--chain',
      'Include the keys that replaced it (revoke and disable always include the keys that it replaced)',
    )
    .option(...REASON_OPTION)
    .addHelpText('after', BULK_HELP);
  const many: BulkVerb = {
    action: name,
    words: ['keys', name],
    question,
    done: (changed) => `${done} ${pluralize(changed, 'key')}`,
    ...(undo === undefined ? {} : { undo }),
  };
  return withBulkOptions(command).action(async (ids: string[], options: StatusOptions) => {
    const id = findSingleKey(ids, options);
    if (id !== null) return setStatus(io, verb, id, options);
    if (options.chain === true) throw new UsageFailure('--chain can only be used with one key');
    await changeMany(io, many, ids, options);
  });
}

async function setStatus(io: Io, verb: StatusVerb, id: string, { json, reason, chain }: StatusOptions): Promise<void> {
  const { status, done, next } = verb;
  const path = chain === true ? `${joinPath('keys', id)}?chain=true` : joinPath('keys', id);
  const { body } = await connect(io).call<KeyResponse>('PATCH', path, { json: { status }, reason });
  if (json === true) return printJson(io, body);
  io.out(`${done} key ${body.id} (${body.owner}).\n`);
  if (next !== undefined) io.out(`${next(body.id)}\n`);
  if (formatStatus(body, io.now()) === 'expired') io.out(formatExpiredHint(body));
}

function formatExpiredHint({ id, expiresAt }: KeyResponse): string {
  const command = `tollgate keys update ${id} --expires-at TIME`;
  return `It expired at ${formatTime(expiresAt ?? '')} UTC. To extend it, run "${command}".\n`;
}

/** @throws InvalidArgumentError, which Commander reports with the option's name */
function toDateTime(text: string): string {
  if (isDateTime(text)) return text;
  throw new InvalidArgumentError('Use a date and time with an offset, such as 2027-12-31T00:00:00Z.');
}

/**
 * Converts options to the limits of a key on a custom plan; empty if none are given. @throws UsageFailure if only some
 * of the required limits are given
 */
function parseLimits({ minute, day: perDay, month }: WantedLimits & { readonly month: number | undefined }) {
  if (minute !== undefined && perDay !== undefined)
    return { limits: month === undefined ? { minute, day: perDay } : { minute, day: perDay, month } };
  if (minute === undefined && perDay === undefined && month === undefined) return {};
  throw new UsageFailure('--minute and --day must be given together');
}

function formatKey(io: Io, key: KeyResponse): string {
  const utc = (text: string | null) => (text === null ? 'never' : `${formatTime(text)} UTC`);
  const metadata = Object.entries(key.metadata).map(([name, value]) => [name, value] as const);
  return formatFields([
    ['id', key.id],
    ['name', key.name],
    ['owner', key.owner],
    ['plan', key.plan],
    ['limits', key.limits === null ? 'from the plan' : formatLimits(key.limits)],
    ...(key.concurrent === null ? [] : [['at once', String(key.concurrent)] as const]),
    ...(key.operations === null ? [] : [['operations', key.operations.join(', ')] as const]),
    ...(key.addresses === null ? [] : [['addresses', key.addresses.join(', ')] as const]),
    ...(key.validation === null ? [] : [['validation', key.validation] as const]),
    ['status', formatStatus(key, io.now())],
    ...(key.token === null
      ? [['secret', `${key.prefix}…${key.lastFour}`] as const]
      : [['caller', `${key.token.caller} (claim ${key.token.claim} of ${key.token.name})`] as const]),
    ['created', utc(key.createdAt)],
    [
      'expires',
      key.grace === null ? utc(key.expiresAt) : `once it is no longer used, no later than ${utc(key.expiresAt)}`,
    ],
    ['last used', formatLastUse(key)],
    ['quota', key.quotaId],
    ['replaced by', key.rotatedTo ?? 'none'],
    ...(key.replaced ?? []).map((old) => {
      const secret = `${old.prefix}…${old.lastFour}`;
      return [
        'replaced',
        `${old.id} (${secret}), last used ${formatLastUse(old)}, ends no later than ${utc(old.expiresAt)}`,
      ] as const;
    }),
    ...metadata,
  ]);
}

/**
 * Describes when, from where and how often the secret was last used. The place and the number are known only for a key
 * that expires once it is no longer used.
 */
function formatLastUse({ lastUsedAt, grace }: Pick<KeyResponse, 'lastUsedAt' | 'grace'>): string {
  const when = lastUsedAt === null ? 'never' : `${formatTime(lastUsedAt)} UTC`;
  const from = grace?.lastUsedFrom == null ? '' : ` from ${grace.lastUsedFrom}`;
  const calls = grace?.callsLastDay;
  return `${when}${from}${calls == null ? '' : `, ${pluralize(calls, 'call')} in the last 24 hours`}`;
}

/** Prints the secret of a new key. */
function printSecret(io: Io, { key }: NewKeyResponse): void {
  io.out(`\n  ${key}\n\nThe secret is shown only once. Store it now.\n`);
}
