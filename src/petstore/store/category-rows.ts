import type { DatabaseSync } from 'node:sqlite';
import { command, exists, select } from './database.ts';
import { fetchSize, type Page } from '../http/paging.ts';

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
const toRow = ([id, name, description]: [bigint, string, string | null]): CategoryRow => ({ id, name, description });

export function categoryStore(db: DatabaseSync) {
  const get = select(db, `SELECT ${COLUMNS} FROM categories WHERE id = ?`, toRow);
  const first = select(db, `SELECT ${COLUMNS} FROM categories ORDER BY id LIMIT ?`, toRow);
  const next = select(db, `SELECT ${COLUMNS} FROM categories WHERE id > ? ORDER BY id LIMIT ?`, toRow);
  const insert = select(db, `INSERT INTO categories (name, description) VALUES (?, ?) RETURNING ${COLUMNS}`, toRow);
  const update = select(db, `UPDATE categories SET name = ?, description = ? WHERE id = ? RETURNING ${COLUMNS}`, toRow);
  const remove = command(db, 'DELETE FROM categories WHERE id = ?');
  const used = exists(db, 'SELECT 1 FROM pets WHERE category_id = ? LIMIT 1');
  return {
    get: (id: bigint) => get.get(id),
    list: (page: Page) =>
      page.after === undefined ? first.all(fetchSize(page)) : next.all(page.after, fetchSize(page)),
    insert: ({ name, description }: NewCategory) => insert.get(name, description ?? null)!,
    /** Returns undefined if there is no such category. */
    update: (id: bigint, { name, description }: NewCategory) => update.get(name, description ?? null, id),
    remove: (id: bigint) => remove(id),
    hasPets: (id: bigint) => used(id),
  };
}
