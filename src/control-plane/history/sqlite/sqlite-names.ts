import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MAX_CACHED = 200_000;

/** The numbers of names, in `history_names` and in memory. */
export class SqliteNames {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #cache = new Map<string, number>();

  constructor(sqlite: DatabaseSync) {
    this.#insert = sqlite.prepare('INSERT INTO history_names (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.#select = sqlite.prepare('SELECT no FROM history_names WHERE name = ?');
  }

  /** Adds the name if it is new. */
  numberOf(name: string): number {
    let no = this.#cache.get(name);
    if (no === undefined) {
      this.#insert.run(name);
      no = Number(this.#select.get(name)?.['no']);
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(name, no);
    }
    return no;
  }

  /** To be called when a transaction is rolled back: it may have added some. */
  forget(): void {
    this.#cache.clear();
  }
}
