import { DAY_MS, HOUR_MS } from '../../src/base/time.ts';
import { ALL_NAMES } from '../../src/storage/history-tables.ts';
import { BUCKET_COUNT, findBucket, packCount } from '../../src/control-plane/history/store/duration-buckets.ts';
import { startOfMonth, findStart } from '../../src/control-plane/history/store/calendar.ts';
import type { Cell, Sink } from './sink.ts';

/** The distribution of requests over keys. */
export type Spread = 'uniform' | 'skewed';

export interface Size {
  readonly spread: Spread;
  readonly keys: number;
  readonly days: number;
  /** Number of keys that also have hours, by operation and outcome. These are the keys with the most requests. */
  readonly busy: number;
  readonly now: number;
}

const HOURS_KEPT = 90 * 24;
const OUTCOMES = 3;
/** Names are numbered from here: first operations, then outcomes, then keys. */
const FIRST_OPERATION = 2;
const OPERATIONS = 20;
const FIRST_OUTCOME = FIRST_OPERATION + OPERATIONS;
const FIRST_KEY = FIRST_OUTCOME + OUTCOMES;

export interface FilledTables {
  /** Numbers of rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Ids of the keys that also have hours. */
  readonly busyIds: readonly string[];
}

/** Fills the tables with the same rows that flushes would write. */
export async function fillTables(sink: Sink, keyIds: readonly string[], size: Size): Promise<FilledTables> {
  const counts = new Map<string, number>();
  const add = (table: string, ...row: Cell[]) => {
    counts.set(table, (counts.get(table) ?? 0) + 1);
    return sink.add(table, row);
  };
  for (let index = 0; index < OPERATIONS; index++)
    await add('history_names', FIRST_OPERATION + index, `operation${index}`);
  for (const [index, name] of ['served', 'rate_limit_exceeded', 'upstream_timeout'].entries()) {
    await add('history_names', FIRST_OUTCOME + index, name);
  }
  for (const [index, id] of keyIds.entries()) await add('history_names', FIRST_KEY + index, id);
  const findRank = assignRanks(keyIds.length);
  const busy = [...keyIds.keys()].filter((index) => findRank(index) < size.busy);
  await addHours(
    add,
    busy.map((index) => ({ keyNo: FIRST_KEY + index, rank: findRank(index) })),
    size,
  );
  const days = new Days(keyIds.length, size, findRank);
  await addDays(add, days, sink.order, size);
  await addMonths(add, days);
  return { counts: Object.fromEntries(counts), busyIds: busy.map((index) => keyIds[index] ?? '') };
}

type Add = (table: string, ...row: Cell[]) => void | Promise<void>;

/** The requests of each key on each day. */
class Days {
  /** Starts of the days. */
  readonly starts: readonly number[];
  readonly keys: number;
  readonly findRank: (index: number) => number;
  readonly #requests: Uint32Array;

  constructor(keys: number, { days, now, spread }: Size, findRank: (index: number) => number) {
    const today = findStart('day', now);
    this.starts = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
    this.keys = keys;
    this.findRank = findRank;
    this.#requests = new Uint32Array(keys * days);
    for (let index = 0; index < keys; index++) {
      for (let day = 0; day < days; day++) this.#requests[index * days + day] = drawRequests(spread, findRank(index));
    }
  }

  requests(index: number, day: number): number {
    return this.#requests[index * this.starts.length + day] ?? 0;
  }
}

async function addDays(add: Add, days: Days, order: Sink['order'], size: Size): Promise<void> {
  const totals = new Float64Array(days.starts.length);
  const addDay = async (index: number, day: number) => {
    const [requests, rank] = [days.requests(index, day), days.findRank(index)];
    const [keyNo, at] = [FIRST_KEY + index, days.starts[day]!];
    if (requests === 0) return;
    totals[day]! += requests;
    await add('usage_days', ...createCounts(keyNo, ALL_NAMES, ALL_NAMES, at, requests));
    if (rank >= size.busy) return;
    await forEachKind((operation, outcome, part) =>
      add('usage_days', ...createCounts(keyNo, operation, outcome, at, Math.ceil(requests * part))),
    );
  };
  const [keys, all] = [Array.from({ length: days.keys }, (_, index) => index), [...days.starts.keys()]];
  if (order === 'by key') for (const index of keys) for (const day of all) await addDay(index, day);
  else for (const day of all) for (const index of keys) await addDay(index, day);
  for (const day of all)
    await add('usage_days', ...createCounts(ALL_NAMES, ALL_NAMES, ALL_NAMES, days.starts[day]!, totals[day]!));
}

async function addMonths(add: Add, days: Days): Promise<void> {
  for (const [month, starts] of Map.groupBy(days.starts.keys(), (day) => startOfMonth(days.starts[day]!))) {
    for (let index = 0; index < days.keys; index++) {
      const columns = Array.from({ length: 31 }, () => 0);
      for (const day of starts) columns[new Date(days.starts[day]!).getUTCDate() - 1] = days.requests(index, day);
      if (columns.some((requests) => requests > 0)) await add('usage_months', month, FIRST_KEY + index, ...columns);
    }
  }
}

async function addHours(add: Add, busy: readonly { keyNo: number; rank: number }[], size: Size): Promise<void> {
  const thisHour = findStart('hour', size.now);
  for (let age = HOURS_KEPT - 1; age >= 0; age--) {
    const at = thisHour - age * HOUR_MS;
    for (const { keyNo, rank } of busy) {
      const requests = Math.ceil(drawRequests(size.spread, rank) / 24);
      await add('usage_hours', ...createCounts(keyNo, ALL_NAMES, ALL_NAMES, at, requests));
      await forEachKind((operation, outcome, part) =>
        add('usage_hours', ...createCounts(keyNo, operation, outcome, at, Math.ceil(requests * part))),
      );
    }
  }
}

/** Calls `each` for the operations and outcomes of a busy key: five operations with all outcomes. */
async function forEachKind(
  each: (operation: number, outcome: number, part: number) => void | Promise<void>,
): Promise<void> {
  const [operations, outcomes] = [5, OUTCOMES];
  for (let operation = 0; operation < operations; operation++) {
    for (let outcome = 0; outcome < outcomes; outcome++) {
      await each(FIRST_OPERATION + operation, FIRST_OUTCOME + outcome, 1 / operations / outcomes);
    }
  }
}

function drawRequests(spread: Spread, rank: number): number {
  if (spread === 'uniform') return 1 + Math.floor(Math.random() * 2000);
  // Most keys have no requests on most days.
  const expected = 300_000 / (rank + 1);
  return Math.random() < expected / 50 ? Math.ceil(expected * (0.5 + Math.random())) : 0;
}

/** Assigns random ranks, so that busy keys are spread among the other keys. */
function assignRanks(keys: number): (index: number) => number {
  const order = Array.from({ length: keys }, (_, index) => index);
  for (let index = keys - 1; index > 0; index--) {
    const swapIndex = Math.floor(Math.random() * (index + 1));
    [order[index], order[swapIndex]] = [order[swapIndex]!, order[index]!];
  }
  return (index) => order[index]!;
}

function createCounts(keyNo: number, operationNo: number, outcomeNo: number, at: number, requests: number): Cell[] {
  const refused = Math.floor(requests / 50);
  const [errors, clientErrors] = [Math.floor(requests / 200), Math.floor(requests / 30)];
  // The order is that of the columns: key, time, operation, outcome, figures.
  return [
    keyNo,
    at,
    operationNo,
    outcomeNo,
    requests,
    refused,
    errors,
    requests - refused,
    refused,
    createDurations(requests),
    clientErrors,
  ];
}

const MIDDLE_BUCKET = findBucket(30);

const durationsCache = new Map<number, readonly number[]>();

/**
 * Creates durations around 30 ms. The more requests, the more buckets. Durations of small counts are cached, because
 * most counts are small.
 */
function createDurations(requests: number): readonly number[] {
  let durations = durationsCache.get(requests);
  if (durations === undefined) {
    durations = buildDurations(requests);
    if (requests < 10_000) durationsCache.set(requests, durations);
  }
  return durations;
}

function buildDurations(requests: number): number[] {
  const width = Math.min(20, Math.ceil(Math.sqrt(requests)));
  const first = Math.min(BUCKET_COUNT - width, MIDDLE_BUCKET - Math.floor(width / 2));
  return Array.from({ length: width }, (_, index) => packCount(first + index, Math.ceil(requests / width)));
}
