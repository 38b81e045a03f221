import type { PostgresPoolClient } from 'kysely';
import { PostgresUnavailable } from '../../../storage/postgres-errors.ts';
import { type BoundedPool, createPool, type PoolOptions } from '../../../storage/postgres-pool.ts';
import type { Statements } from '../store/chunk-tables.ts';

/** Maximum number of attempts to run a transaction that collides with others. */
const MAX_ATTEMPTS = 5;

export type Query = PostgresPoolClient['query'];

/** Connections that only the history uses, so that it never delays a key lookup. */
export class PostgresConnections implements Statements {
  readonly #pool: BoundedPool;

  constructor(options: PoolOptions) {
    this.#pool = createPool(options);
  }

  async rows(text: string, values: readonly unknown[]): Promise<Readonly<Record<string, unknown>>[]> {
    return this.#withClient(async (client) => (await client.query<Record<string, unknown>>(text, values)).rows);
  }

  async run(text: string, values: readonly unknown[]): Promise<number> {
    return this.#withClient(async (client) => (await client.query(text, values)).rowCount ?? 0);
  }

  /**
   * Runs work in a transaction, all or nothing. The work runs again if it collides with other transactions.
   *
   * @param beginStatement the statement that begins the transaction
   */
  async runTransaction<T>(work: (client: PostgresPoolClient) => Promise<T>, beginStatement = 'BEGIN'): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#withClient((client) => runInTransaction(client, work, beginStatement));
      } catch (error) {
        if (!(error instanceof PostgresUnavailable) || error.kind !== 'busy' || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #withClient<T>(work: (client: PostgresPoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }
}

async function runInTransaction<T>(
  client: PostgresPoolClient,
  work: (client: PostgresPoolClient) => Promise<T>,
  beginStatement: string,
): Promise<T> {
  await client.query(beginStatement, []);
  try {
    const result = await work(client);
    await client.query('COMMIT', []);
    return result;
  } catch (error) {
    // If the connection is lost, the rollback fails, too. That second error must not hide the first one.
    await client.query('ROLLBACK', []).catch(() => {});
    throw error;
  }
}
