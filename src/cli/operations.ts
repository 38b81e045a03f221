import { type Command, Option } from 'commander';
import type { CallerJson } from '../control-plane/history/report-json.ts';
import type { OperationResponse, ViolatedOperationsResponse, ViolationsResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, withListOptions } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { formatDay, printJson, formatTime } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatTable } from './table.ts';

export function createOperationsCommand(io: Io): Command {
  return createCommandGroup(
    'operations',
    'List operations, their callers, and calls that do not fit them',
    createOperationsListCommand(io),
    createOperationsCallersCommand(io),
    createOperationsViolationsCommand(io),
  );
}

const OPERATION_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'METHOD', whole: true },
  { title: 'PATH' },
  { title: 'TAGS' },
  { title: 'UPSTREAM' },
  { title: 'COST', whole: true, right: true },
  { title: 'PUBLIC', whole: true },
  { title: 'DEPRECATED', whole: true },
  { title: 'SUNSET', whole: true },
  { title: 'BROWNOUT', whole: true },
];

function createOperationsListCommand(io: Io): Command {
  const command = createAdminCommand(
    'list',
    'List operations, sorted by path (--json has every field)',
    'operations list',
  );
  return withListOptions(command).action((options: AdminCommandOptions & ListOptions) => listOperations(io, options));
}

async function listOperations(io: Io, options: AdminCommandOptions & ListOptions): Promise<void> {
  const operations = await readList<OperationResponse>(connect(io), '/operations', {}, options);
  if (options.json === true) return printJson(io, operations);
  const rows = operations.items.map((operation) => {
    const { id, method, path, tags, upstream, cost, lifecycle } = operation;
    // An operation without an operationId has its method and path as its id. These are shown anyway, so leave out the
    // id.
    const ownId = id === `${method} ${path}` ? '' : id;
    const { deprecated, deprecatedAt, sunsetAt } = lifecycle;
    const since = deprecatedAt === null ? (deprecated ? 'yes' : '') : formatDay(deprecatedAt);
    const ends = sunsetAt === null ? '' : formatDay(sunsetAt);
    const cells = [ownId, method, path, tags.join(', '), upstream, String(cost), operation.public ? 'yes' : ''];
    return [...cells, since, ends, formatNextBrownout(lifecycle, io.now())];
  });
  io.out(rows.length === 0 ? 'No operations found.\n' : formatTable(OPERATION_COLUMNS, rows, io.columns));
  printMoreHint(io, operations);
}

/** Formats the current or next brownout; empty if there is none. */
function formatNextBrownout({ brownouts }: OperationResponse['lifecycle'], now: number): string {
  const next = brownouts.find(({ to }) => Date.parse(to) > now);
  if (next === undefined) return '';
  return Date.parse(next.from) <= now ? `until ${formatTime(next.to)}` : formatTime(next.from);
}

interface CallersOptions extends AdminCommandOptions, ListOptions {
  readonly csv?: true;
}

const CALLER_COLUMNS = [
  { title: 'KEY', whole: true },
  { title: 'OWNER' },
  { title: 'EMAIL' },
  { title: 'PLAN' },
  { title: 'FIRST CALL (UTC)', whole: true },
  { title: 'LAST CALL (UTC)', whole: true },
  { title: 'REQUESTS', whole: true, right: true },
];

function createOperationsCallersCommand(io: Io): Command {
  const command = createAdminCommand(
    'callers',
    'List the keys that have called an operation, most recent call first',
    'operations callers getPetById',
    'operations callers getPetById --all --csv',
    "operations callers 'GET /pets'",
  )
    .argument('<id>', 'Operation id; without one, method and path')
    .option('--csv', 'Print CSV');
  return withListOptions(command).action((id: string, options: CallersOptions) => listCallers(io, id, options));
}

async function listCallers(io: Io, id: string, options: CallersOptions): Promise<void> {
  const { json, csv } = options;
  if (json === true && csv === true) throw new UsageFailure('--json and --csv cannot be combined');
  const callers = await readList<CallerJson>(connect(io), joinPath('operations', id, 'callers'), {}, options);
  if (json === true) return printJson(io, callers);
  io.out(csv === true ? await formatCsv(callers.items) : formatText(callers.items, io.columns));
  printMoreHint(io, callers);
}

/** Formats CSV with the code of the admin API, which is loaded only when it is needed. */
async function formatCsv(callers: readonly CallerJson[]): Promise<string> {
  const { formatCallersCsv: callersCsv } = await import('../control-plane/history/report-csv.ts');
  return callersCsv(callers);
}

function formatText(callers: readonly CallerJson[], columns: number | null): string {
  const rows = callers.map(({ key, owner, email, plan, firstAt, lastAt, requests }) => {
    return [key, owner ?? '', email ?? '', plan ?? '', formatTime(firstAt), formatTime(lastAt), String(requests)];
  });
  return rows.length === 0 ? 'No callers found.\n' : formatTable(CALLER_COLUMNS, rows, columns);
}

interface ViolationsOptions extends AdminCommandOptions, ListOptions {
  readonly by?: 'key' | 'owner' | 'rule';
  readonly from?: string;
  readonly to?: string;
  readonly key?: string;
  readonly owner?: string;
  readonly candidate?: true;
}

const FIGURE_COLUMNS = [
  { title: 'REQUESTS', whole: true, right: true },
  { title: 'REFUSED', whole: true, right: true },
  { title: 'FIRST (UTC)', whole: true },
  { title: 'LAST (UTC)', whole: true },
];

const COUNT_COLUMNS = [
  { title: 'OWNERS', whole: true, right: true },
  { title: 'KEYS', whole: true, right: true },
];

const GROUP_COLUMNS = {
  key: [{ title: 'KEY', whole: true }, { title: 'OWNER' }, { title: 'RULES' }, { title: 'EXEMPT', whole: true }],
  owner: [
    { title: 'OWNER' },
    { title: 'EMAIL' },
    { title: 'RULES' },
    { title: 'KEYS', whole: true, right: true },
    { title: 'EXEMPT', whole: true, right: true },
  ],
  rule: [{ title: 'RULE', whole: true }, { title: 'PLACE' }, ...COUNT_COLUMNS],
};

const OPERATION_VIOLATION_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'METHOD', whole: true },
  { title: 'PATH' },
  { title: 'MODE', whole: true },
  { title: 'KEYS', whole: true, right: true },
  ...FIGURE_COLUMNS,
];

function createOperationsViolationsCommand(io: Io): Command {
  const command = createAdminCommand(
    'violations',
    'List who sent requests that do not fit an operation, or all such operations, most requests first',
    'operations violations',
    'operations violations addPet',
    'operations violations addPet --by rule --candidate',
  )
    .argument('[id]', 'Operation id, or its method and path (default: list the operations)')
    .addOption(
      new Option('--by <group>', 'One line for each of these (default: key)').choices(['key', 'owner', 'rule']),
    )
    .option('--from <time>', 'Start of the period, such as 2026-12-01T00:00:00Z (default: 7 days ago)')
    .option('--to <time>', 'End of the period (default: now)')
    .option('--key <id>', 'Filter by key')
    .option('--owner <owner>', 'Filter by owner')
    .option('--candidate', 'Compared with the next version of the document');
  return withListOptions(command).action((id: string | undefined, options: ViolationsOptions) =>
    id === undefined ? listViolatedOperations(io, options) : listViolations(io, id, options),
  );
}

function toQuery({ by, from, to, key, owner, candidate }: ViolationsOptions) {
  return { by, from, to, key, owner, document: candidate === true ? 'candidate' : undefined };
}

async function listViolatedOperations(io: Io, options: ViolationsOptions): Promise<void> {
  if (options.by !== undefined) throw new UsageFailure('--by needs the id of an operation');
  const found = await readList<ViolatedOperationsResponse['items'][number]>(
    connect(io),
    '/violations',
    toQuery(options),
    options,
  );
  if (options.json === true) return printJson(io, found);
  const rows = found.items.map(({ operation, method, path, mode, keys, ...figures }) => {
    const ownId = operation === `${method} ${path}` ? '' : operation;
    return [ownId, method, path, mode, keys === null ? '' : String(keys), ...formatFigures(figures)];
  });
  io.out(
    rows.length === 0
      ? 'No requests found that do not fit their operation.\n'
      : formatTable(OPERATION_VIOLATION_COLUMNS, rows, io.columns),
  );
  printMoreHint(io, found);
}

type Figures = Pick<ViolationsResponse['items'][number], 'requests' | 'refused' | 'firstAt' | 'lastAt'>;

function formatFigures({ requests, refused, firstAt, lastAt }: Figures): string[] {
  return [String(requests), String(refused), formatTime(firstAt), formatTime(lastAt)];
}

/** Lists the rules with the most requests, and the number of further ones. */
function formatRules({ rules, topRules }: ViolationsResponse['items'][number]): string {
  const listed = topRules.map(({ rule, path }) => `${rule} ${path}`.trimEnd()).join(', ');
  return rules > topRules.length ? `${listed}, ${rules - topRules.length} more` : listed;
}

async function listViolations(io: Io, id: string, options: ViolationsOptions): Promise<void> {
  const { by = 'key', json } = options;
  const found = await readList<ViolationsResponse['items'][number], ViolationsResponse>(
    connect(io),
    joinPath('operations', id, 'violations'),
    toQuery(options),
    options,
  );
  if (json === true) return printJson(io, found);
  const rows = found.items.map((each) => {
    const [keys, exempt] = [String(each.keys), String(each.exemptKeys)];
    const group = {
      key: [each.key ?? '(no key)', each.owner ?? '', formatRules(each), each.exemptKeys > 0 ? 'yes' : ''],
      owner: [each.owner ?? '(no owner)', each.email ?? '', formatRules(each), keys, exempt],
      rule: [each.rule ?? '', each.path ?? '', String(each.owners), keys],
    }[by];
    return [...group, ...formatFigures(each)];
  });
  const columns = [...GROUP_COLUMNS[by], ...FIGURE_COLUMNS];
  io.out(
    rows.length === 0 ? 'No requests found that do not fit the operation.\n' : formatTable(columns, rows, io.columns),
  );
  printMoreHint(io, found);
  const isFiltered = options.key !== undefined || options.owner !== undefined;
  if (found.mode === 'report' && options.candidate !== true && !isFiltered) io.out(formatEnforceStep(found));
}

/** Says what the step from `report` to `enforce` would do, and how to take it. */
function formatEnforceStep({ totals, from, to }: ViolationsResponse): string {
  const period = `from ${formatTime(from)} to ${formatTime(to)}`;
  const { keys, exemptKeys } = totals ?? { keys: 0, exemptKeys: 0 };
  const refused = keys - exemptKeys;
  const exempt = exemptKeys === 0 ? '' : ` ${pluralize(exemptKeys, 'key')} ${exemptKeys === 1 ? 'is' : 'are'} exempt.`;
  const affected =
    totals === null
      ? `No request ${period} would have been refused.`
      : `It would have refused requests of ${pluralize(refused, 'key')} ${period}.${exempt}`;
  return [
    '',
    'With enforce, requests that do not fit would get 400 validation_failed, and would not reach the service. They would',
    'still cost units of the quota.',
    affected,
    ...(refused === 0
      ? []
      : [
          'Tell the owners first, or exempt keys whose owners need more time:',
          '  tollgate keys update KEY --validation report',
        ]),
    'To enforce, set "x-tollgate-validation: enforce" for this operation in the document or in an overlay, or',
    '"validation: enforce" for the whole upstream in the configuration file. Then run on each gateway:',
    '  tollgate config check && tollgate config reload',
    '',
  ].join('\n');
}
