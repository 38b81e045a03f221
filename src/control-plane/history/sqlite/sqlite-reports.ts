import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReportTimeout } from '../../../base/error-types.ts';
import { explainSqliteError } from '../../../storage/sqlite-file.ts';
import type { CountSource, Reader, Row, Value, VisitCount } from '../reports/reader.ts';
import { addDurations, BUCKET_COUNT, toDurations } from '../store/duration-buckets.ts';
import type { Group } from '../store/history-store.ts';
import { REPORT_TIMEOUT_MS, ReportQueue } from '../reports/reported-history.ts';
import { attachRecords, readDurations, bindParameters } from './sqlite-write.ts';

/** Maximum time that a report delays the writing of chunks. A single step of SQLite may take longer. */
const TURN_MS = 20;
/** Number of rows between two checks of the clock. */
const ROWS_PER_CHECK = 256;

type CountColumns = [
  group: Group,
  at: number,
  requests: number,
  units: number,
  refused: number,
  errors: number,
  clientErrors: number,
  durations: Uint8Array,
];

/** Two reports take turns, so that a short report does not have to wait for a long one. */
const CONCURRENCY = 2;

/** Runs reports, each on a connection of its own, so that chunks can be added while they run. */
export class SqliteReports {
  readonly #readers: readonly SqliteReader[];
  readonly #freeReaders: SqliteReader[];
  readonly #queue = new ReportQueue(CONCURRENCY);

  constructor(file: string, recordsFile: string, timeoutMs = REPORT_TIMEOUT_MS) {
    this.#readers = Array.from({ length: CONCURRENCY }, () => new SqliteReader(file, recordsFile, timeoutMs));
    this.#freeReaders = [...this.#readers];
  }

  /** @throws StoreUnavailable (as a rejection) if the report takes too long, or too many reports are waiting */
  run<T>(report: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      const reader = this.#freeReaders.pop() as SqliteReader;
      try {
        return await reader.runSnapshot(report);
      } finally {
        this.#freeReaders.push(reader);
      }
    });
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
  }
}

class SqliteReader implements Reader {
  readonly inTimeCondition = 'in_time()';
  readonly #sqlite: DatabaseSync;
  readonly #timeoutMs: number;
  /** Deadline of the running report, by the monotonic clock, in ms. */
  #deadline = 0;

  constructor(file: string, recordsFile: string, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#sqlite = new DatabaseSync(file, { readOnly: true });
    attachRecords(this.#sqlite, recordsFile);
    this.#sqlite.function('in_time', () => this.#checkTime());
  }

  async runSnapshot<T>(report: (reader: Reader) => Promise<T>): Promise<T> {
    this.#deadline = performance.now() + this.#timeoutMs;
    try {
      this.#sqlite.exec('BEGIN');
      return await report(this);
    } catch (error) {
      throw explainSqliteError(error);
    } finally {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
    }
  }

  selectText(column: string, field: string): string {
    return `json_extract(${column}, '$.${field}')`;
  }

  async rows(text: string, values: readonly Value[]): Promise<readonly Row[]> {
    await nextTurn();
    this.#checkTime();
    return this.#sqlite.prepare(text).all(bindParameters(values));
  }

  async forEachRow(text: string, values: readonly Value[], visit: (row: Row) => void): Promise<void> {
    await nextTurn();
    await this.#visitInTurns(this.#sqlite.prepare(text).iterate(bindParameters(values)), visit);
  }

  async forEachCount(source: CountSource, values: readonly Value[], visit: VisitCount) {
    await nextTurn();
    if (source.keysPerSlice !== null) return this.#forEachSlice(source, source.keysPerSlice, values, visit);
    const { group, from, where, isSummed } = source;
    const visitRow = (row: unknown) => {
      const [group, at, requests, units, refused, errors, clientErrors, durations] = row as CountColumns;
      visit(group, at, { requests, units, refused, errors, clientErrors, durations: readDurations(durations) });
    };
    const counts = this.#sqlite.prepare(`
      SELECT ${group}, u.at, u.requests, u.units, u.refused, u.errors, u.client_errors, u.durations FROM ${from} WHERE ${where}`);
    // Reading a row as an array takes half the time of reading it as an object with named columns.
    counts.setReturnArrays(true);
    // There are at most as many rows as the report has points, so they fit into memory. Reading all rows together takes
    // a third less time than reading them one by one.
    if (isSummed) for (const row of counts.all(bindParameters(values))) visitRow(row);
    else await this.#visitInTurns(counts.iterate(bindParameters(values)), visitRow);
  }

  /** Lets SQLite add up the rows of some keys at a time, because reading each row would take several times as long. */
  async #forEachSlice({ group, from, where }: CountSource, keys: number, values: readonly Value[], visit: VisitCount) {
    const sums = ['requests', 'units', 'refused', 'errors', 'client_errors'].map((column) => `sum(u.${column})`);
    const [first, last] = [`$${values.length + 1}`, `$${values.length + 2}`];
    const counts = this.#sqlite.prepare(`
      SELECT ${group}, u.at, ${sums.join(', ')}, CAST(group_concat(u.durations, '') AS BLOB)
      FROM ${from} WHERE ${where} AND n.no BETWEEN ${first} AND ${last} GROUP BY 1, 2`);
    counts.setReturnArrays(true);
    const highestNo = Number(this.#sqlite.prepare('SELECT max(no) AS no FROM history_names').get()?.['no']);
    for (let no = 0; no <= highestNo; no += keys) {
      for (const row of counts.all(bindParameters([...values, no, no + keys - 1]))) {
        const [group, at, requests, units, refused, errors, clientErrors, joinedDurations] =
          row as unknown as CountColumns;
        const buckets = new Float64Array(BUCKET_COUNT);
        addDurations(buckets, readDurations(joinedDurations));
        visit(group, at, { requests, units, refused, errors, clientErrors, durations: toDurations(buckets) });
      }
      this.#checkTime();
      await nextTurn();
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  async #visitInTurns<T>(rows: Iterable<T>, visit: (row: T) => void): Promise<void> {
    let [count, turnEnd] = [0, performance.now() + TURN_MS];
    for (const row of rows) {
      visit(row);
      if (++count % ROWS_PER_CHECK !== 0 || performance.now() < turnEnd) continue;
      this.#checkTime();
      await nextTurn();
      turnEnd = performance.now() + TURN_MS;
    }
  }

  /**
   * Throws if the report has taken too long. SQLite calls this for every row, because there is no other way to
   * interrupt a long step of SQLite.
   */
  #checkTime(): 1 {
    if (performance.now() > this.#deadline) throw new ReportTimeout();
    return 1;
  }
}
