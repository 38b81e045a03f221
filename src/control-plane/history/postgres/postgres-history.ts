import type { Chunk, Deleted, HistoryStore, RefusalRecord, RepeatedRefusal } from '../store/history-store.ts';
import { ReportedHistory } from '../reports/reported-history.ts';
import { toViolationRows, toChunkTables, collectNames, type Statements } from '../store/chunk-tables.ts';
import { deleteKeys, deleteOwner, forgetUnused, type Retention, Pruner } from '../store/retention.ts';
import { clusterHours, runAlone } from './sort-hours-by-key.ts';
import { PostgresConnections } from './postgres-connections.ts';
import { PostgresNames, addChunk, keepRefusals, keepRepeated, raiseSequence } from './postgres-write.ts';
import { PostgresReports } from './postgres-reports.ts';

const WRITE_LIMITS = { connections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 10_000 };
const READ_LIMITS = { connections: 3, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 };

/**
 * The history in the same database as the records. The migrations of that database also create the history's tables.
 */
export class PostgresHistory extends ReportedHistory implements HistoryStore {
  readonly #keep: Retention;
  readonly #writes: PostgresConnections;
  /** Separate from the writes, so that no report delays a write. */
  readonly #reads: PostgresConnections;
  readonly #names: PostgresNames;
  readonly #pruner: Pruner;

  constructor(url: string, keep: Retention) {
    const reads = new PostgresConnections({ url, purpose: 'history-reports', ...READ_LIMITS });
    super(new PostgresReports(reads), keep);
    this.#keep = keep;
    this.#writes = new PostgresConnections({ url, purpose: 'history', ...WRITE_LIMITS });
    this.#reads = reads;
    this.#names = new PostgresNames(this.#writes);
    this.#pruner = new Pruner(reads, keep);
  }

  async write(chunk: Chunk): Promise<void> {
    await this.#writeWithNumbers(collectNames(chunk.rows, chunk.violations), (findNumber) => {
      const tables = toChunkTables(chunk.rows, findNumber);
      const violations = toViolationRows(chunk.violations ?? [], findNumber);
      return this.#writes.runTransaction(async (client) => {
        if (await raiseSequence(client, chunk)) await addChunk(client, tables, violations);
      });
    });
  }

  async keepRefusals(refusals: readonly RefusalRecord[], repeated: readonly RepeatedRefusal[] = []): Promise<void> {
    const keyIds = new Set([...refusals, ...repeated].map(({ keyId }) => keyId));
    await this.#writeWithNumbers(keyIds, (findNumber) =>
      this.#writes.runTransaction(async (client) => {
        await keepRefusals(client, refusals, findNumber);
        if (repeated.length > 0) await keepRepeated(client, repeated, findNumber);
      }),
    );
  }

  forgetUnused(keyIds: readonly string[], now: number): Promise<string[]> {
    return forgetUnused(this.#reads, keyIds, now - this.#keep.days);
  }

  deleteOwner(owner: string): Promise<Deleted> {
    return deleteOwner(this.#runningAlone(), owner);
  }

  deleteKeys(keyIds: readonly string[]): Promise<number> {
    return deleteKeys(this.#runningAlone(), keyIds);
  }

  #runningAlone(): Statements {
    const reads = this.#reads;
    return { rows: (text, values) => reads.rows(text, values), run: (text, values) => runAlone(reads, text, values) };
  }

  async prune(now: number): Promise<number> {
    const deleted = await this.#pruner.prune(now);
    await clusterHours(this.#reads, this.#keep, now);
    return deleted;
  }

  async close(): Promise<void> {
    await Promise.all([this.#writes.close(), this.#reads.close()]);
  }

  async #writeWithNumbers(
    names: ReadonlySet<string>,
    write: (findNumber: (name: string) => number) => Promise<void>,
  ): Promise<void> {
    try {
      const numbers = await this.#names.findNumbers(names);
      await write((name) => numbers.get(name) as number);
    } catch (error) {
      this.#names.forget();
      throw error;
    }
  }
}
