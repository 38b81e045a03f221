import { bucketOf } from '../../../src/history/buckets.ts';
import type { HistoryDatabase } from './history-database.ts';

/** A request, as the recorder is told of it. */
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

/**
 * What a history should hold: plain sums in maps. Each line of a map names a row or a figure of one, so that two maps
 * that differ say where.
 */
export class HistoryModel {
  readonly #sums = new Map<string, number>();

  add(event: HistoryEvent): void {
    const { at, operation, outcome, statusClass, units, refusedUnits, durationMs } = event;
    const bucket = bucketOf(durationMs);
    const isRefusal = outcome !== 'served' && outcome !== 'store_unavailable';
    for (const row of rowsOf(event)) {
      this.#sum(`${row} requests`, 1);
      this.#sum(`${row} refused`, isRefusal ? 1 : 0);
      this.#sum(`${row} errors`, statusClass === 5 ? 1 : 0);
      this.#sum(`${row} units`, units);
      this.#sum(`${row} refused units`, refusedUnits);
      this.#sum(`${row} bucket ${bucket}`, 1);
    }
    const date = new Date(at);
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    this.#sum(`month ${month} ${event.key ?? ''} d${date.getUTCDate()}`, 1);
    if (event.key !== null && operation !== null) this.#caller(event.key, operation, at);
  }

  /** Without figures that are 0. */
  sums(): Map<string, number> {
    return new Map([...this.#sums].filter(([, value]) => value !== 0));
  }

  #caller(key: string, operation: string, at: number): void {
    const row = `audience ${operation} ${key}`;
    this.#sum(`${row} requests`, 1);
    this.#sums.set(`${row} first`, Math.min(at, this.#sums.get(`${row} first`) ?? Infinity));
    this.#sums.set(`${row} last`, Math.max(at, this.#sums.get(`${row} last`) ?? -Infinity));
  }

  #sum(line: string, value: number): void {
    this.#sums.set(line, (this.#sums.get(line) ?? 0) + value);
  }
}

/** The rows that a request is added to. */
function rowsOf({ at, key, operation, outcome }: HistoryEvent): string[] {
  return [key ?? '', ALL].flatMap((who) => {
    const detailed = `${who} ${operation ?? ''} ${outcome}`;
    const whole = `${who} ${ALL} ${ALL}`;
    const coarse = (['hour', 'day'] as const).flatMap((every) => [
      `${every} ${startOf(every, at)} ${detailed}`,
      `${every} ${startOf(every, at)} ${whole}`,
    ]);
    return [`minute ${startOf('minute', at)} ${detailed}`, ...coarse];
  });
}

function startOf(every: Every, at: number): number {
  return Math.floor(at / LENGTHS[every]) * LENGTHS[every];
}

/** What the tables hold, in the terms of the model. */
export async function storedSums(database: Pick<HistoryDatabase, 'rows'>): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const put = (line: string, value: unknown) => {
    // A figure that is there twice must not go unnoticed.
    if (sums.has(line)) throw new Error(`${line} is there twice`);
    if (Number(value) !== 0) sums.set(line, Number(value));
  };
  for (const every of ['minute', 'hour', 'day'] as const) {
    for (const row of await database.rows(countsIn(TABLES[every]))) {
      const line = `${every} ${row['at']} ${row['key']} ${row['operation']} ${row['outcome']}`;
      put(`${line} requests`, row['requests']);
      put(`${line} units`, row['units']);
      put(`${line} refused`, row['refused']);
      put(`${line} errors`, row['errors']);
      put(`${line} refused units`, row['refused_units']);
      for (const one of durations(row['durations'])) put(`${line} bucket ${Math.floor(one / 2 ** 40)}`, one % 2 ** 40);
    }
  }
  const months =
    'SELECT names.name AS key, months.* FROM usage_months AS months JOIN history_names AS names ON no = key_no';
  for (const { key, month, key_no: _, no: __, name: ___, ...days } of await database.rows(months)) {
    for (const [day, requests] of Object.entries(days)) put(`month ${month} ${key} ${day}`, requests);
  }
  for (const row of await database.rows(AUDIENCE)) {
    const line = `audience ${row['operation']} ${row['key']}`;
    put(`${line} requests`, row['requests']);
    put(`${line} first`, row['first_at']);
    put(`${line} last`, row['last_at']);
  }
  return sums;
}

/** The lines in which two differ: at most a few, which is enough to see why. */
export function differences(expected: Map<string, number>, found: Map<string, number>): string[] {
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
      at, requests, refused, errors, units, refused_units, durations
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
