import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import { toBlob } from '../../src/control-plane/history/sqlite/sqlite-write.ts';

export type Cell = number | string | readonly number[];

/**
 * Inserts rows directly into tables, without the store. Counting a year of requests through the store would take hours.
 */
export interface Sink {
  /**
   * The order in which to add days. With SQLite, it is the order of the table, which is fastest. With PostgreSQL, it is
   * the order of flushes, because the order of writes decides which rows are next to each other.
   */
  readonly order: 'by key' | 'by day';
  /** @param row the values of all columns, in their order; durations as an array */
  add(table: string, row: readonly Cell[]): void | Promise<void>;
  end(): Promise<void>;
}

export class SqliteSink implements Sink {
  readonly order = 'by key';
  readonly #sqlite: DatabaseSync;
  readonly #inserts = new Map<string, StatementSync>();
  /** Packed arrays of durations. Most arrays are added many times. */
  readonly #blobs = new WeakMap<readonly number[], Uint8Array>();

  constructor(file: string) {
    this.#sqlite = new DatabaseSync(file);
    this.#sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN');
  }

  add(table: string, row: readonly Cell[]): void {
    let insert = this.#inserts.get(table);
    if (insert === undefined) {
      insert = this.#sqlite.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`);
      this.#inserts.set(table, insert);
    }
    insert.run(...row.map((cell) => (typeof cell === 'object' ? this.#toBlob(cell) : cell)));
  }

  async end(): Promise<void> {
    this.#sqlite.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    this.#sqlite.close();
  }

  #toBlob(durations: readonly number[]): Uint8Array {
    let blob = this.#blobs.get(durations);
    if (blob === undefined) this.#blobs.set(durations, (blob = toBlob(durations)));
    return blob;
  }
}

const ROWS_PER_INSERT = 5000;

export class PostgresSink implements Sink {
  readonly order = 'by day';
  readonly #client: pg.Client;
  readonly #pending = new Map<string, (readonly Cell[])[]>();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<PostgresSink> {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    await client.query('SET synchronous_commit = off');
    return new PostgresSink(client);
  }

  async add(table: string, row: readonly Cell[]): Promise<void> {
    const rows = this.#pending.get(table) ?? [];
    rows.push(row);
    this.#pending.set(table, rows);
    if (rows.length >= ROWS_PER_INSERT) await this.#insert(table, rows);
  }

  async end(): Promise<void> {
    for (const [table, rows] of this.#pending) if (rows.length > 0) await this.#insert(table, rows);
    // With this many new rows, autovacuum would run within minutes anyway.
    await this.#client.query('VACUUM ANALYZE');
    await this.#client.end();
  }

  async #insert(table: string, rows: (readonly Cell[])[]): Promise<void> {
    const columns = rows[0]!.map((cell, index) => {
      if (typeof cell === 'number') return { type: 'BIGINT', text: `{${rows.map((row) => row[index]).join(',')}}` };
      if (typeof cell === 'string') return { type: 'TEXT', text: JSON.stringify(rows.map((row) => row[index])) };
      const arrays = rows.map((row) => `"{${(row[index] as number[]).join(',')}}"`);
      return { type: 'BIGINT[]', text: `{${arrays.join(',')}}` };
    });
    const sources = columns.map(({ type }, index) => {
      if (type === 'TEXT')
        return `(SELECT array_agg(value) FROM json_array_elements_text($${index + 1}::JSON) AS value)`;
      return `$${index + 1}::${type === 'BIGINT' ? 'BIGINT' : 'TEXT'}[]`;
    });
    const selected = columns.map(({ type }, index) => `c${index}::${type}`);
    await this.#client.query(
      `INSERT INTO ${table} SELECT ${selected.join(', ')}
       FROM unnest(${sources.join(', ')}) AS added (${columns.map((_, index) => `c${index}`).join(', ')})`,
      columns.map(({ text }) => text),
    );
    rows.length = 0;
  }
}
