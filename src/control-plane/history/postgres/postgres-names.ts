import type { Statements } from '../tables/statements.ts';

const MAX_CACHED = 200_000;

/** The numbers of names, in `history_names` and in memory. */
export class PostgresNames {
  readonly #statements: Statements;
  readonly #cache = new Map<string, number>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Adds names that are new. Not part of any transaction: what is cached is never rolled back. */
  async numbersOf(names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const numbers = new Map<string, number>();
    const missing: string[] = [];
    for (const name of names) {
      const no = this.#cache.get(name);
      if (no === undefined) missing.push(name);
      else numbers.set(name, no);
    }
    if (missing.length > 0) await this.#look(missing, numbers);
    return numbers;
  }

  /** To be called when the database was away: a standby that took over may lack the newest. */
  forget(): void {
    this.#cache.clear();
  }

  async #look(missing: readonly string[], numbers: Map<string, number>): Promise<void> {
    // Sorted, so that gateways that add the same names never wait for each other.
    const names = JSON.stringify(missing.toSorted());
    await this.#statements.run(
      `INSERT INTO history_names (name) SELECT name FROM json_array_elements_text($1::json) AS name
       ON CONFLICT DO NOTHING`,
      [names],
    );
    const rows = await this.#statements.rows(
      'SELECT no, name FROM history_names WHERE name IN (SELECT json_array_elements_text($1::json))',
      [names],
    );
    for (const row of rows) {
      const [name, no] = [String(row['name']), Number(row['no'])];
      numbers.set(name, no);
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(name, no);
    }
  }
}
