import type { DatabaseSync } from 'node:sqlite';
import { prepareCommand, prepareExists, prepareSelect } from './database.ts';
import { getFetchSize, type Page } from '../http/paging.ts';

export interface NewCategory {
  name: string;
  description?: string;
}

export interface CategoryRow {
  id: bigint;
  name: string;
  description: string | null;
}

export type CategoryStore = ReturnType<typeof createCategoryStore>;

const COLUMNS = 'id, name, description';
const toRow = ([id, name, description]: [bigint, string, string | null]): CategoryRow => ({ id, name, description });

export function createCategoryStore(db: DatabaseSync) {
  const get = prepareSelect(db, `SELECT ${COLUMNS} FROM categories WHERE id = ?`, toRow);
  const selectFirst = prepareSelect(db, `SELECT ${COLUMNS} FROM categories ORDER BY id LIMIT ?`, toRow);
  const selectNext = prepareSelect(db, `SELECT ${COLUMNS} FROM categories WHERE id > ? ORDER BY id LIMIT ?`, toRow);
  const insert = prepareSelect(
    db,
    `INSERT INTO categories (name, description) VALUES (?, ?) RETURNING ${COLUMNS}`,
    toRow,
  );
  const update = prepareSelect(
    db,
    `UPDATE categories SET name = ?, description = ? WHERE id = ? RETURNING ${COLUMNS}`,
    toRow,
  );
  const remove = prepareCommand(db, 'DELETE FROM categories WHERE id = ?');
  const isUsed = prepareExists(db, 'SELECT 1 FROM pets WHERE category_id = ? LIMIT 1');
  return {
    get: (id: bigint) => get.get(id),
    list: (page: Page) =>
      page.after === undefined ? selectFirst.all(getFetchSize(page)) : selectNext.all(page.after, getFetchSize(page)),
    insert: ({ name, description }: NewCategory) => insert.get(name, description ?? null)!,
    /** Returns undefined if there is no such category. */
    update: (id: bigint, { name, description }: NewCategory) => update.get(name, description ?? null, id),
    remove: (id: bigint) => remove(id),
    hasPets: (id: bigint) => isUsed(id),
  };
}
