import { findBucket } from '../../../src/control-plane/history/store/duration-buckets.ts';
import type { HistoryDatabase } from './history-database.ts';

// The function is looked up once, because Jest's globals are slow and this code runs millions of times.
const { floor } = Math;

/** A request as the recorder receives it. */
export interface HistoryEvent {
  readonly at: number;
  readonly key: string | null;
  readonly operation: string | null;
  readonly outcome: string;
  readonly statusClass: number;
  readonly units: number;
  readonly refusedUnits: number;
  readonly durationMs: number;
}

const LENGTHS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
type Every = keyof typeof LENGTHS;
const TABLES: Record<Every, string> = { minute: 'usage_minutes', hour: 'usage_hours', day: 'usage_days' };
const ALL = '*';

/** The totals of the requests of one kind in one minute. */
interface Sum {
  readonly event: HistoryEvent;
  requests: number;
  units: number;
  refusedUnits: number;
  firstAt: number;
  lastAt: number;
  readonly buckets: Map<number, number>;
}

/**
 * Computes the expected content of a history as plain sums. Each entry of `sums()` names a row and one of its figures,
 * so that differences are easy to locate.
 */
export class HistoryModel {
  readonly #kinds = new Map<string, Sum>();

  add(event: HistoryEvent): void {
    const { at, key, operation, outcome, statusClass, units, refusedUnits, durationMs } = event;
    const kind = `${findStart('minute', at)}/${key}/${operation}/${outcome}/${statusClass}`;
    let sum = this.#kinds.get(kind);
    if (sum === undefined) {
      sum = { event, requests: 0, units: 0, refusedUnits: 0, firstAt: at, lastAt: at, buckets: new Map() };
      this.#kinds.set(kind, sum);
    }
    sum.requests++;
    sum.units += units;
    sum.refusedUnits += refusedUnits;
    if (at < sum.firstAt) sum.firstAt = at;
    if (at > sum.lastAt) sum.lastAt = at;
    const bucket = findBucket(durationMs);
    sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + 1);
  }

  /** Returns the figures of each row. Figures of 0 are left out. */
  sums(): Map<string, number> {
    const lines = new Map<string, number>();
    for (const sum of this.#kinds.values()) for (const [line, value] of listFigures(sum)) addTo(lines, line, value);
    return lines;
  }
}

function addTo(lines: Map<string, number>, line: string, value: number): void {
  const known = lines.get(line);
  if (known === undefined) lines.set(line, value);
  else if (line.endsWith(' first')) lines.set(line, Math.min(known, value));
  else if (line.endsWith(' last')) lines.set(line, Math.max(known, value));
  else lines.set(line, known + value);
}

function listFigures({ event, requests, units, refusedUnits, firstAt, lastAt, buckets }: Sum): [string, number][] {
  const { at, key, operation, outcome, statusClass } = event;
  const isRefusal = outcome !== 'served' && outcome !== 'store_unavailable' && outcome !== 'upstream_timeout';
  const figures = listRows(event).flatMap((row): [string, number][] => [
    [`${row} requests`, requests],
    [`${row} refused`, isRefusal ? requests : 0],
    [`${row} errors`, statusClass === 5 ? requests : 0],
    [`${row} client errors`, statusClass === 4 && outcome === 'served' ? requests : 0],
    [`${row} units`, units],
    [`${row} refused units`, refusedUnits],
    ...[...buckets].map(([bucket, count]): [string, number] => [`${row} bucket ${bucket}`, count]),
  ]);
  const date = new Date(at);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  figures.push([`month ${month} ${key ?? ''} d${date.getUTCDate()}`, requests]);
  if (key !== null && operation !== null) {
    const caller = `audience ${operation} ${key}`;
    figures.push([`${caller} requests`, requests], [`${caller} first`, firstAt], [`${caller} last`, lastAt]);
  }
  return figures.filter(([, value]) => value !== 0);
}

/** Lists the rows that count a request. */
function listRows({ at, key, operation, outcome }: HistoryEvent): string[] {
  return [key ?? '', ALL].flatMap((who) => {
    const detailed = `${who} ${operation ?? ''} ${outcome}`;
    const whole = `${who} ${ALL} ${ALL}`;
    const coarse = (['hour', 'day'] as const).flatMap((every) => [
      `${every} ${findStart(every, at)} ${detailed}`,
      `${every} ${findStart(every, at)} ${whole}`,
    ]);
    return [`minute ${findStart('minute', at)} ${detailed}`, ...coarse];
  });
}

function findStart(every: Every, at: number): number {
  return floor(at / LENGTHS[every]) * LENGTHS[every];
}

/** Reads the tables, and returns their content in the format of `HistoryModel.sums`. */
export async function readStoredSums(database: Pick<HistoryDatabase, 'rows'>): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const put = (line: string, value: unknown) => {
    // Fail for duplicate rows, which a map would hide.
    if (sums.has(line)) throw new Error(`${line} occurs twice`);
    if (Number(value) !== 0) sums.set(line, Number(value));
  };
  for (const every of ['minute', 'hour', 'day'] as const) {
    for (const row of await database.rows(countsIn(TABLES[every]))) {
      const line = `${every} ${String(row['at'])} ${String(row['key'])} ${String(row['operation'])} ${String(row['outcome'])}`;
      put(`${line} requests`, row['requests']);
      put(`${line} units`, row['units']);
      put(`${line} refused`, row['refused']);
      put(`${line} errors`, row['errors']);
      put(`${line} client errors`, row['client_errors']);
      put(`${line} refused units`, row['refused_units']);
      for (const one of durations(row['durations'])) put(`${line} bucket ${floor(one / 2 ** 40)}`, one % 2 ** 40);
    }
  }
  const months =
    'SELECT names.name AS key, months.* FROM usage_months AS months JOIN history_names AS names ON no = key_no';
  for (const { key, month, key_no: _, no: __, name: ___, ...days } of await database.rows(months)) {
    for (const [day, requests] of Object.entries(days)) put(`month ${String(month)} ${String(key)} ${day}`, requests);
  }
  for (const row of await database.rows(AUDIENCE)) {
    const line = `audience ${String(row['operation'])} ${String(row['key'])}`;
    put(`${line} requests`, row['requests']);
    put(`${line} first`, row['first_at']);
    put(`${line} last`, row['last_at']);
  }
  return sums;
}

/** Lists up to ten lines in which the two sides differ. */
export function findDifferences(expected: Map<string, number>, found: Map<string, number>): string[] {
  const lines = new Set([...expected.keys(), ...found.keys()]);
  const different: string[] = [];
  for (const line of lines) {
    if (expected.get(line) === found.get(line)) continue;
    if (different.push(`${line}: ${expected.get(line)} expected, ${found.get(line)} found`) === 10) break;
  }
  return different;
}

function countsIn(table: string): string {
  return `
    SELECT keys_.name AS key, operations.name AS operation, outcomes.name AS outcome,
      at, requests, refused, errors, client_errors, units, refused_units, durations
    FROM ${table}
    JOIN history_names AS keys_ ON keys_.no = key_no
    JOIN history_names AS operations ON operations.no = operation_no
    JOIN history_names AS outcomes ON outcomes.no = outcome_no`;
}

const AUDIENCE = `
  SELECT keys_.name AS key, operations.name AS operation, first_at, last_at, requests FROM audience
  JOIN history_names AS keys_ ON keys_.no = key_no
  JOIN history_names AS operations ON operations.no = operation_no`;

function durations(stored: unknown): number[] {
  if (Array.isArray(stored)) return stored.map(Number);
  return [...new Float64Array((stored as Uint8Array).slice().buffer)];
}
