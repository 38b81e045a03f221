import { type CallErrorCode, callErrors, SERVED } from '../../../domain/error-codes.ts';
import { findStart } from './calendar.ts';
import { mergeDurations, type Durations } from './duration-buckets.ts';
import type { UsageRow, StoredResolution, ViolationRow } from './history-store.ts';
import { ALL_NAMES, NO_NAME, VIOLATION_KINDS } from '../../../storage/history-tables.ts';

/** A row of `usage_minutes`, `usage_hours` or `usage_days`. */
export interface CountRow {
  readonly keyNo: number;
  readonly at: number;
  readonly operationNo: number;
  readonly outcomeNo: number;
  requests: number;
  refused: number;
  errors: number;
  /** Responses of the service with a status from 400 to 499. */
  clientErrors: number;
  units: number;
  refusedUnits: number;
  durations: Durations;
}

/** An addition to one day of a row of `usage_months`. */
export interface DayRow {
  readonly keyNo: number;
  /** Start of the day. */
  readonly at: number;
  requests: number;
}

export interface AudienceRow {
  readonly operationNo: number;
  readonly keyNo: number;
  firstAt: number;
  lastAt: number;
  requests: number;
}

/**
 * The rows that a chunk adds to each table. Each row occurs only once, and all writers use the same order, so that they
 * never deadlock.
 */
export interface ChunkTables {
  readonly counts: Readonly<Record<StoredResolution, readonly CountRow[]>>;
  readonly days: readonly DayRow[];
  readonly audience: readonly AudienceRow[];
}

/** @param findNumber returns the number of a name in `history_names` */
export function toChunkTables(rows: readonly UsageRow[], findNumber: (name: string) => number): ChunkTables {
  const numberedRows = rows.map((row) => ({
    row,
    keyNo: row.keyId === null ? NO_NAME : findNumber(row.keyId),
    operationNo: row.operation === null ? NO_NAME : findNumber(row.operation),
    outcomeNo: findNumber(row.outcome),
  }));
  const minuteRows = numberedRows.flatMap(({ row, keyNo, ...numbers }) => {
    const { minute: at, outcome, statusClass, requests, units, refusedUnits, durations } = row;
    const refused = isRefusal(outcome) ? requests : 0;
    const errors = statusClass === 5 ? requests : 0;
    const clientErrors = statusClass === 4 && outcome === SERVED ? requests : 0;
    const counts = { ...numbers, at, requests, refused, errors, clientErrors, units, refusedUnits, durations };
    return [
      { ...counts, keyNo },
      { ...counts, keyNo: ALL_NAMES },
    ];
  });
  const counts = {
    minute: sumRows(minuteRows),
    hour: sumByInterval(minuteRows, 'hour'),
    day: sumByInterval(minuteRows, 'day'),
  };
  return { counts, days: toDayRows(counts.day), audience: toAudienceRows(numberedRows) };
}

/** A row of the table of violations. */
export interface ViolationTableRow {
  readonly operationNo: number;
  readonly kind: number;
  readonly at: number;
  readonly keyNo: number;
  readonly ruleNo: number;
  requests: number;
  refused: number;
  firstAt: number;
  lastAt: number;
}

/** The rows that a chunk adds to the table of violations. All writers use the same order, as in `ChunkTables`. */
export function toViolationRows(
  rows: readonly ViolationRow[],
  findNumber: (name: string) => number,
): readonly ViolationTableRow[] {
  const numbered = rows.map(({ keyId, operation, kind, hour, rule, requests, refused, firstAt, lastAt }) => ({
    operationNo: findNumber(operation),
    kind: VIOLATION_KINDS[kind],
    at: hour,
    keyNo: keyId === null ? NO_NAME : findNumber(keyId),
    ruleNo: rule === null ? ALL_NAMES : findNumber(rule),
    requests,
    refused,
    firstAt,
    lastAt,
  }));
  return numbered.toSorted(
    (a, b) =>
      a.operationNo - b.operationNo || a.kind - b.kind || a.at - b.at || a.keyNo - b.keyNo || a.ruleNo - b.ruleNo,
  );
}

/** A row of the table of violations of all keys by day. */
export type ViolationDayRow = Omit<ViolationTableRow, 'keyNo'>;

/** Adds up the rows of all keys by day. Each row occurs only once, in the same order for all writers. */
export function toViolationDays(rows: readonly ViolationTableRow[]): readonly ViolationDayRow[] {
  return mergeRows(
    rows.map(({ keyNo: _, ...row }) => ({ ...row, at: findStart('day', row.at) })),
    (a, b) => a.operationNo - b.operationNo || a.kind - b.kind || a.ruleNo - b.ruleNo || a.at - b.at,
    (sum, row) => {
      sum.requests += row.requests;
      sum.refused += row.refused;
      sum.firstAt = Math.min(sum.firstAt, row.firstAt);
      sum.lastAt = Math.max(sum.lastAt, row.lastAt);
    },
  );
}

/** The names in a chunk, without duplicates. */
export function collectNames(rows: readonly UsageRow[], violations: readonly ViolationRow[] = []): Set<string> {
  const names = new Set<string>();
  for (const { keyId, operation, rule } of violations) {
    names.add(operation);
    if (keyId !== null) names.add(keyId);
    if (rule !== null) names.add(rule);
  }
  for (const { keyId, operation, outcome } of rows) {
    if (keyId !== null) names.add(keyId);
    if (operation !== null) names.add(operation);
    names.add(outcome);
  }
  return names;
}

/** Adds up minutes by hour or day. Adds rows for all operations and outcomes together. */
function sumByInterval(rows: readonly CountRow[], every: StoredResolution): CountRow[] {
  const coarseRows = sumRows(rows.map((row) => ({ ...row, at: findStart(every, row.at) })));
  return [
    ...sumRows(coarseRows.map((row) => ({ ...row, operationNo: ALL_NAMES, outcomeNo: ALL_NAMES }))),
    ...coarseRows,
  ];
}

/** Sorts rows, and adds up the rows that belong to the same row of the table. */
function sumRows(rows: readonly CountRow[]): CountRow[] {
  return mergeRows(rows, compareCounts, (sum, row) => {
    sum.requests += row.requests;
    sum.refused += row.refused;
    sum.errors += row.errors;
    sum.clientErrors += row.clientErrors;
    sum.units += row.units;
    sum.refusedUnits += row.refusedUnits;
    sum.durations = mergeDurations(sum.durations, row.durations);
  });
}

function compareCounts(a: CountRow, b: CountRow): number {
  return a.keyNo - b.keyNo || a.at - b.at || a.operationNo - b.operationNo || a.outcomeNo - b.outcomeNo;
}

/** Requests per day for each key. The row for all keys together is left out, because it needs no ranking. */
function toDayRows(rows: readonly CountRow[]): DayRow[] {
  const rankedRows = rows.filter(({ keyNo, operationNo }) => keyNo !== ALL_NAMES && operationNo === ALL_NAMES);
  const days = rankedRows.map(({ keyNo, at, requests }) => ({ keyNo, at, requests }));
  return mergeRows(
    days,
    (a, b) => a.at - b.at || a.keyNo - b.keyNo,
    (sum, row) => {
      sum.requests += row.requests;
    },
  );
}

interface NumberedRow {
  readonly row: UsageRow;
  readonly keyNo: number;
  readonly operationNo: number;
}

function toAudienceRows(numberedRows: readonly NumberedRow[]): AudienceRow[] {
  const callers = numberedRows
    .filter(({ row }) => row.keyId !== null && row.operation !== null)
    .map(({ row: { firstAt, lastAt, requests }, keyNo, operationNo }) => {
      return { operationNo, keyNo, firstAt, lastAt, requests };
    });
  return mergeRows(
    callers,
    (a, b) => a.operationNo - b.operationNo || a.keyNo - b.keyNo,
    (sum, row) => {
      sum.firstAt = Math.min(sum.firstAt, row.firstAt);
      sum.lastAt = Math.max(sum.lastAt, row.lastAt);
      sum.requests += row.requests;
    },
  );
}

/** @param add adds the second row to the first. It is called only for rows that compare as equal. */
function mergeRows<Row extends object>(
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
  add: (sum: Row, row: Row) => void,
): Row[] {
  const sums: Row[] = [];
  for (const row of rows.toSorted(compare)) {
    const last = sums.at(-1);
    if (last !== undefined && compare(last, row) === 0) add(last, row);
    else sums.push({ ...row });
  }
  return sums;
}

/** Whether an outcome is a refusal by the gateway, rather than a response or a failure. */
function isRefusal(outcome: string): boolean {
  return Object.hasOwn(callErrors, outcome) && callErrors[outcome as CallErrorCode].status < 500;
}

const KEYS_PER_SLICE = 1000;

/** Splits the numbers in `history_names` into ranges, each for a bounded amount of work. `to` is exclusive. */
export async function listKeySlices(statements: Statements): Promise<{ readonly from: number; readonly to: number }[]> {
  const [newest] = await statements.rows('SELECT max(no) AS no FROM history_names', []);
  const count = Math.floor(Number(newest?.['no']) / KEYS_PER_SLICE) + 1;
  return Array.from({ length: count }, (_, index) => ({
    from: index * KEYS_PER_SLICE,
    to: (index + 1) * KEYS_PER_SLICE,
  }));
}

/** The port to a database for pruning and deleting: single statements, with parameters `$1`, `$2` and so on. */
export interface Statements {
  rows(text: string, values: readonly (string | number)[]): Promise<Readonly<Record<string, unknown>>[]>;
  /** Runs a statement in its own transaction. @returns the number of changed rows */
  run(text: string, values: readonly (string | number)[]): Promise<number>;
}
