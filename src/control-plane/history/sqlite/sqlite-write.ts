import type { DatabaseSync, StatementSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type AudienceRow,
  type CountRow,
  toChunkTables,
  type DayRow,
  type Statements,
  toViolationDays,
  toViolationRows,
  type ViolationDayRow,
  type ViolationTableRow,
} from '../store/chunk-tables.ts';
import { findDayColumn, startOfMonth } from '../store/calendar.ts';
import { mergeDurations, type Durations } from '../store/duration-buckets.ts';
import type { Chunk, RefusalRecord, RepeatedRefusal, StoredResolution } from '../store/history-store.ts';
import { usageTables } from '../../../storage/history-tables.ts';
import { explainSqliteError } from '../../../storage/sqlite-file.ts';

const RESOLUTIONS = ['minute', 'hour', 'day'] as const;

/** Adds chunks and refusals, within the caller's transaction. */
export class SqliteWriter {
  readonly #sqlite: DatabaseSync;
  readonly #names: SqliteNames;
  readonly #raiseSequence: StatementSync;
  readonly #addCounts: Readonly<Record<StoredResolution, StatementSync>>;
  readonly #addAudience: StatementSync;
  readonly #addViolation: StatementSync;
  readonly #addViolationDay: StatementSync;
  readonly #addRefusal: StatementSync;
  readonly #addRepeated: StatementSync;
  /** Statements by column of `usage_months`. */
  readonly #addDay = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync, names: SqliteNames) {
    this.#sqlite = sqlite;
    this.#names = names;
    this.#raiseSequence = sqlite.prepare(`
      INSERT INTO history_writers (id, last_sequence, at) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET last_sequence = excluded.last_sequence, at = excluded.at
      WHERE last_sequence < excluded.last_sequence`);
    this.#addCounts = {
      minute: sqlite.prepare(createAddStatement(usageTables.minute)),
      hour: sqlite.prepare(createAddStatement(usageTables.hour)),
      day: sqlite.prepare(createAddStatement(usageTables.day)),
    };
    this.#addAudience = sqlite.prepare(`
      INSERT INTO audience (operation_no, key_no, first_at, last_at, requests) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET first_at = min(first_at, excluded.first_at),
        last_at = max(last_at, excluded.last_at), requests = requests + excluded.requests`);
    this.#addViolation = sqlite.prepare(`
      INSERT INTO violations (operation_no, kind, at, key_no, rule_no, requests, refused, first_at, last_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, refused = refused + excluded.refused,
        first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`);
    this.#addViolationDay = sqlite.prepare(`
      INSERT INTO violation_days (operation_no, kind, rule_no, at, requests, refused, first_at, last_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, refused = refused + excluded.refused,
        first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`);
    this.#addRefusal = sqlite.prepare(`
      INSERT INTO refusals (request_id, quota_id, at, key_no, facts) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
    this.#addRepeated = sqlite.prepare(`
      INSERT INTO repeated_refusals (request_id, key_no, at, stored_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  }

  add({ writer, sequence, rows, violations = [] }: Chunk): void {
    const { changes } = this.#raiseSequence.run(writer, sequence, Date.now());
    if (changes === 0) return;
    const { counts, days, audience } = toChunkTables(rows, (name) => this.#names.findNumber(name));
    for (const every of RESOLUTIONS) for (const row of counts[every]) this.#writeCount(every, row);
    for (const row of days) this.#writeDay(row);
    for (const row of audience) this.#writeCaller(row);
    const violationRows = toViolationRows(violations, (name) => this.#names.findNumber(name));
    for (const row of violationRows) this.#writeViolation(row);
    for (const row of toViolationDays(violationRows)) this.#writeViolationDay(row);
  }

  keepRefusals(refusals: readonly RefusalRecord[], repeated: readonly RepeatedRefusal[]): void {
    for (const { requestId, quotaId, at, keyId, facts } of refusals) {
      this.#addRefusal.run(requestId, quotaId, at, this.#names.findNumber(keyId), JSON.stringify(facts));
    }
    for (const { requestId, keyId, at, storedId } of repeated) {
      this.#addRepeated.run(requestId, this.#names.findNumber(keyId), at, storedId);
    }
  }

  #writeViolation(row: ViolationTableRow): void {
    const { operationNo, kind, at, keyNo, ruleNo, requests, refused, firstAt, lastAt } = row;
    this.#addViolation.run(operationNo, kind, at, keyNo, ruleNo, requests, refused, firstAt, lastAt);
  }

  #writeViolationDay(row: ViolationDayRow): void {
    const { operationNo, kind, ruleNo, at, requests, refused, firstAt, lastAt } = row;
    this.#addViolationDay.run(operationNo, kind, ruleNo, at, requests, refused, firstAt, lastAt);
  }

  #writeCount(every: StoredResolution, row: CountRow): void {
    const { keyNo, at, operationNo, outcomeNo, requests, refused, errors, clientErrors, units, refusedUnits } = row;
    const key = [keyNo, at, operationNo, outcomeNo];
    const counts = [requests, refused, errors, clientErrors, units, refusedUnits];
    this.#addCounts[every].run(...key, ...counts, toBlob(row.durations));
  }

  #writeDay({ keyNo, at, requests }: DayRow): void {
    const column = findDayColumn(at);
    let add = this.#addDay.get(column);
    if (add === undefined) {
      add = this.#sqlite.prepare(`
        INSERT INTO usage_months (month, key_no, ${column}) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column}`);
      this.#addDay.set(column, add);
    }
    add.run(startOfMonth(at), keyNo, requests);
  }

  #writeCaller({ operationNo, keyNo, firstAt, lastAt, requests }: AudienceRow): void {
    this.#addAudience.run(operationNo, keyNo, firstAt, lastAt, requests);
  }
}

function createAddStatement(table: string): string {
  return `
    INSERT INTO ${table}
      (key_no, at, operation_no, outcome_no, requests, refused, errors, client_errors, units, refused_units, durations)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
      requests = requests + excluded.requests, refused = refused + excluded.refused,
      errors = errors + excluded.errors, client_errors = client_errors + excluded.client_errors,
      units = units + excluded.units, refused_units = refused_units + excluded.refused_units,
      durations = merge_durations(durations, excluded.durations)`;
}

const MAX_CACHED = 200_000;

/** The numbers of names, stored in `history_names` and cached in memory. */
export class SqliteNames {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #cache = new Map<string, number>();

  constructor(sqlite: DatabaseSync) {
    this.#insert = sqlite.prepare('INSERT INTO history_names (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.#select = sqlite.prepare('SELECT no FROM history_names WHERE name = ?');
  }

  /** Adds the name if it is new. */
  findNumber(name: string): number {
    let no = this.#cache.get(name);
    if (no === undefined) {
      this.#insert.run(name);
      no = Number(this.#select.get(name)?.['no']);
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(name, no);
    }
    return no;
  }

  /**
   * Clears the cache. Call this when a transaction is rolled back, because cached names may have been rolled back with
   * it.
   */
  forget(): void {
    this.#cache.clear();
  }
}

/** Runs single statements. Before each statement, it yields to other work. */
export class SqliteStatements implements Statements {
  readonly #sqlite: DatabaseSync;

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  async rows(text: string, values: readonly (string | number)[]): Promise<Record<string, SQLOutputValue>[]> {
    await nextTurn();
    try {
      return this.#sqlite.prepare(text).all(bindParameters(values));
    } catch (error) {
      throw explainSqliteError(error);
    }
  }

  async run(text: string, values: readonly (string | number)[]): Promise<number> {
    await nextTurn();
    try {
      return Number(this.#sqlite.prepare(text).run(bindParameters(values)).changes);
    } catch (error) {
      throw explainSqliteError(error);
    }
  }
}

/** Binds values by name, because SQLite treats `$1` as a name. */
export function bindParameters(values: readonly (string | number)[]): Record<string, string | number> {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
}

/** Converts durations to the value of a SQLite column: 64-bit floats, in the byte order of the machine. */
export function toBlob(durations: Durations): Uint8Array {
  return new Uint8Array(Float64Array.from(durations).buffer);
}

export function readDurations(blob: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = blob;
  const isAligned = byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
  if (!isAligned) return readDurations(blob.slice());
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}

/** Adds the SQL function `merge_durations(a, b)` to a connection. */
export function addMergeFunction(sqlite: DatabaseSync): void {
  sqlite.function('merge_durations', { deterministic: true }, (one, other) =>
    toBlob(mergeDurations(readDurations(one as Uint8Array), readDurations(other as Uint8Array))),
  );
}

/** Makes the table of keys readable from a connection to the history. */
export function attachRecords(sqlite: DatabaseSync, recordsFile: string): void {
  sqlite.prepare('ATTACH ? AS records').run(`${pathToFileURL(recordsFile).href}?mode=ro`);
}
