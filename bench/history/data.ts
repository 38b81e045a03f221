import { ALL } from '../../src/database/history-tables.ts';
import { BUCKET_COUNT, bucketOf, packed } from '../../src/history/buckets.ts';
import { DAY_MS, HOUR_MS, monthOf, startOf } from '../../src/history/tables/times.ts';
import type { Cell, Sink } from './sink.ts';

/** How requests are spread over keys. */
export type Spread = 'uniform' | 'skewed';

export interface Size {
  readonly spread: Spread;
  readonly keys: number;
  readonly days: number;
  /** Keys whose hours are there too, by operation and outcome: those with the most requests. */
  readonly busy: number;
  readonly now: number;
}

const HOURS_KEPT = 90 * 24;
const OUTCOMES = 3;
/** Numbers of names: 2 and on are operations, then outcomes, then keys. */
const FIRST_OPERATION = 2;
const OPERATIONS = 20;
const FIRST_OUTCOME = FIRST_OPERATION + OPERATIONS;
const FIRST_KEY = FIRST_OUTCOME + OUTCOMES;

export interface Filled {
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Ids of the keys whose hours are there. */
  readonly busyIds: readonly string[];
}

/** Fills the tables as flushes would have. */
export async function fill(sink: Sink, keyIds: readonly string[], size: Size): Promise<Filled> {
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
  const rankOf = ranks(keyIds.length);
  const busy = [...keyIds.keys()].filter((index) => rankOf(index) < size.busy);
  await addHours(
    add,
    busy.map((index) => ({ keyNo: FIRST_KEY + index, rank: rankOf(index) })),
    size,
  );
  const today = startOf('day', size.now);
  let month = new Month(today - (size.days - 1) * DAY_MS, keyIds.length);
  // In the order in which flushes would have added them: it decides which rows are neighbours in PostgreSQL.
  for (let age = size.days - 1; age >= 0; age--) {
    const at = today - age * DAY_MS;
    if (monthOf(at) !== month.start) {
      await month.addTo(add);
      month = new Month(at, keyIds.length);
    }
    let total = 0;
    for (let index = 0; index < keyIds.length; index++) {
      const rank = rankOf(index);
      const requests = requestsOn(size.spread, rank);
      if (requests === 0) continue;
      total += requests;
      month.count(index, at, requests);
      await addDay(add, FIRST_KEY + index, rank, at, requests, age, size);
    }
    await add('usage_days', ...countsOf(ALL, ALL, ALL, at, total));
  }
  await month.addTo(add);
  return { counts: Object.fromEntries(counts), busyIds: busy.map((index) => keyIds[index] ?? '') };
}

type Add = (table: string, ...row: Cell[]) => void | Promise<void>;

async function addDay(add: Add, keyNo: number, rank: number, at: number, requests: number, age: number, size: Size) {
  await add('usage_days', ...countsOf(keyNo, ALL, ALL, at, requests));
  const isBusy = rank < size.busy;
  // Of the rest, what they called in the last month is enough to be in the way.
  if (isBusy || age < 30) {
    await eachKind(isBusy, (operation, outcome, part) =>
      add('usage_days', ...countsOf(keyNo, operation, outcome, at, Math.ceil(requests * part))),
    );
  }
}

async function addHours(add: Add, busy: readonly { keyNo: number; rank: number }[], size: Size): Promise<void> {
  const thisHour = startOf('hour', size.now);
  for (let age = HOURS_KEPT - 1; age >= 0; age--) {
    const at = thisHour - age * HOUR_MS;
    for (const { keyNo, rank } of busy) {
      const requests = Math.ceil(requestsOn(size.spread, rank) / 24);
      await add('usage_hours', ...countsOf(keyNo, ALL, ALL, at, requests));
      await eachKind(true, (operation, outcome, part) =>
        add('usage_hours', ...countsOf(keyNo, operation, outcome, at, Math.ceil(requests * part))),
      );
    }
  }
}

/** The rows of `usage_months` for one month. */
class Month {
  readonly start: number;
  readonly #requests: Float64Array;

  constructor(at: number, keys: number) {
    this.start = monthOf(at);
    this.#requests = new Float64Array(keys * 31);
  }

  count(index: number, at: number, requests: number): void {
    this.#requests[index * 31 + new Date(at).getUTCDate() - 1] = requests;
  }

  async addTo(add: Add): Promise<void> {
    for (let index = 0; index * 31 < this.#requests.length; index++) {
      const days = this.#requests.subarray(index * 31, (index + 1) * 31);
      if (days.some((requests) => requests > 0)) await add('usage_months', this.start, FIRST_KEY + index, ...days);
    }
  }
}

/** Busy keys call five operations with all outcomes, the others two. */
async function eachKind(
  isBusy: boolean,
  each: (operation: number, outcome: number, part: number) => void | Promise<void>,
): Promise<void> {
  const operations = isBusy ? 5 : 2;
  const outcomes = isBusy ? OUTCOMES : 1;
  for (let operation = 0; operation < operations; operation++) {
    for (let outcome = 0; outcome < outcomes; outcome++) {
      await each(FIRST_OPERATION + operation, FIRST_OUTCOME + outcome, 1 / operations / outcomes);
    }
  }
}

function requestsOn(spread: Spread, rank: number): number {
  if (spread === 'uniform') return 1 + Math.floor(Math.random() * 2000);
  // Most keys have no requests on most days.
  const expected = 300_000 / (rank + 1);
  return Math.random() < expected / 50 ? Math.ceil(expected * (0.5 + Math.random())) : 0;
}

/** Busy keys are anywhere among the others. */
function ranks(keys: number): (index: number) => number {
  const order = Array.from({ length: keys }, (_, index) => index);
  for (let index = keys - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return (index) => order[index]!;
}

function countsOf(keyNo: number, operationNo: number, outcomeNo: number, at: number, requests: number): Cell[] {
  const refused = Math.floor(requests / 50);
  const errors = Math.floor(requests / 200);
  // In the order of the columns: key, time, operation, outcome, figures.
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
    durationsOf(requests),
  ];
}

const MIDDLE = bucketOf(30);

/** Around 30 ms; the more requests, the more buckets. */
function durationsOf(requests: number): number[] {
  const width = Math.min(20, Math.ceil(Math.sqrt(requests)));
  const first = Math.min(BUCKET_COUNT - width, MIDDLE - Math.floor(width / 2));
  return Array.from({ length: width }, (_, index) => packed(first + index, Math.ceil(requests / width)));
}
