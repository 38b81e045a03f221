import type { DatabaseSync } from 'node:sqlite';
import { prepare } from '../database.ts';
import { fetchSize, type Page } from '../paging.ts';

export interface NewCategory {
  name: string;
  description?: string;
}

export interface CategoryRow {
  id: bigint;
  name: string;
  description: string | null;
}

export type CategoryStore = ReturnType<typeof categoryStore>;

const COLUMNS = 'id, name, description';

export function categoryStore(db: DatabaseSync) {
  const get = prepare<CategoryRow>(db, `SELECT ${COLUMNS} FROM categories WHERE id = ?`);
  const first = prepare<CategoryRow>(db, `SELECT ${COLUMNS} FROM categories ORDER BY id LIMIT ?`);
  const next = prepare<CategoryRow>(db, `SELECT ${COLUMNS} FROM categories WHERE id > ? ORDER BY id LIMIT ?`);
  const insert = prepare<CategoryRow>(
    db,
    `INSERT INTO categories (name, description) VALUES (?, ?) RETURNING ${COLUMNS}`,
  );
  const update = prepare<CategoryRow>(
    db,
    `UPDATE categories SET name = ?, description = ? WHERE id = ? RETURNING ${COLUMNS}`,
  );
  const remove = prepare(db, 'DELETE FROM categories WHERE id = ?');
  const used = prepare(db, 'SELECT 1 FROM pets WHERE category_id = ? LIMIT 1');
  return {
    get: (id: bigint) => get.get(id),
    list: (page: Page) =>
      page.after === undefined ? first.all(fetchSize(page)) : next.all(page.after, fetchSize(page)),
    insert: ({ name, description }: NewCategory) => insert.get(name, description ?? null)!,
    /** Undefined if there is none. */
    update: (id: bigint, { name, description }: NewCategory) => update.get(name, description ?? null, id),
    remove: (id: bigint) => void remove.run(id),
    hasPets: (id: bigint) => used.get(id) !== undefined,
  };
}
