import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { usageTables } from '../../../storage/history-tables.ts';
import type { Chunk } from '../history-store.ts';
import type { RefusalRecord, Resolution } from '../reports.ts';
import { type AudienceRow, type CountRow, chunkTables, type DayRow } from '../tables/chunk-tables.ts';
import { dayColumnOf, monthOf } from '../tables/times.ts';
import { blobOf } from './duration-blob.ts';
import type { SqliteNames } from './sqlite-names.ts';

const RESOLUTIONS = ['minute', 'hour', 'day'] as const;

/** Adds chunks and refusals, within a transaction of the caller's. */
export class SqliteWrite {
  readonly #sqlite: DatabaseSync;
  readonly #names: SqliteNames;
  readonly #raiseSequence: StatementSync;
  readonly #addCounts: Readonly<Record<Resolution, StatementSync>>;
  readonly #addAudience: StatementSync;
  readonly #addRefusal: StatementSync;
  /** By column of `usage_months`. */
  readonly #addDay = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync, names: SqliteNames) {
    this.#sqlite = sqlite;
    this.#names = names;
    this.#raiseSequence = sqlite.prepare(`
      INSERT INTO history_writers (id, last_sequence, at) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET last_sequence = excluded.last_sequence, at = excluded.at
      WHERE last_sequence < excluded.last_sequence`);
    this.#addCounts = {
      minute: sqlite.prepare(addTo(usageTables.minute)),
      hour: sqlite.prepare(addTo(usageTables.hour)),
      day: sqlite.prepare(addTo(usageTables.day)),
    };
    this.#addAudience = sqlite.prepare(`
      INSERT INTO audience (operation_no, key_no, first_at, last_at, requests) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET first_at = min(first_at, excluded.first_at),
        last_at = max(last_at, excluded.last_at), requests = requests + excluded.requests`);
    this.#addRefusal = sqlite.prepare(`
      INSERT INTO refusals (request_id, quota_id, at, key_no, facts) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  }

  add({ writer, sequence, rows }: Chunk): void {
    const { changes } = this.#raiseSequence.run(writer, sequence, Date.now());
    if (changes === 0) return;
    const { counts, days, audience } = chunkTables(rows, (name) => this.#names.numberOf(name));
    for (const every of RESOLUTIONS) for (const row of counts[every]) this.#count(every, row);
    for (const row of days) this.#day(row);
    for (const row of audience) this.#caller(row);
  }

  keep(refusals: readonly RefusalRecord[]): void {
    for (const { requestId, quotaId, at, keyId, facts } of refusals) {
      this.#addRefusal.run(requestId, quotaId, at, this.#names.numberOf(keyId), JSON.stringify(facts));
    }
  }

  #count(every: Resolution, row: CountRow): void {
    const { keyNo, at, operationNo, outcomeNo, requests, refused, errors, units, refusedUnits } = row;
    const key = [keyNo, at, operationNo, outcomeNo];
    this.#addCounts[every].run(...key, requests, refused, errors, units, refusedUnits, blobOf(row.durations));
  }

  #day({ keyNo, at, requests }: DayRow): void {
    const column = dayColumnOf(at);
    let add = this.#addDay.get(column);
    if (add === undefined) {
      add = this.#sqlite.prepare(`
        INSERT INTO usage_months (month, key_no, ${column}) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column}`);
      this.#addDay.set(column, add);
    }
    add.run(monthOf(at), keyNo, requests);
  }

  #caller({ operationNo, keyNo, firstAt, lastAt, requests }: AudienceRow): void {
    this.#addAudience.run(operationNo, keyNo, firstAt, lastAt, requests);
  }
}

function addTo(table: string): string {
  return `
    INSERT INTO ${table}
      (key_no, at, operation_no, outcome_no, requests, refused, errors, units, refused_units, durations)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
      requests = requests + excluded.requests, refused = refused + excluded.refused,
      errors = errors + excluded.errors, units = units + excluded.units,
      refused_units = refused_units + excluded.refused_units,
      durations = merge_durations(durations, excluded.durations)`;
}
