import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { prepareCommand, prepareSelect, type Select } from './database.ts';
import { getFetchSize, type Page } from '../http/paging.ts';
import type { PetChange, PetStatus } from './pet-rules.ts';

export interface NewPet {
  name: string;
  categoryId: bigint;
  status?: PetStatus;
}

export interface PetRow {
  id: bigint;
  name: string;
  categoryId: bigint;
  status: PetStatus;
  stock: bigint;
}

/** A pet must match all filters that are set. It matches `id` if its id is one of these ids. */
export interface PetFilter {
  id?: readonly bigint[];
  status?: PetStatus;
  categoryId?: bigint;
}

export type PetStore = ReturnType<typeof createPetStore>;

const COLUMNS = 'id, name, category_id, status, stock';
type Columns = [id: bigint, name: string, categoryId: bigint, status: PetStatus, stock: bigint];

function toRow([id, name, categoryId, status, stock]: Columns): PetRow {
  return { id, name, categoryId, status, stock };
}

export function createPetStore(db: DatabaseSync) {
  const get = prepareSelect(db, `SELECT ${COLUMNS} FROM pets WHERE id = ?`, toRow);
  const insert = prepareSelect(
    db,
    `INSERT INTO pets (name, category_id, status, stock) VALUES (?, ?, ?, ?) RETURNING ${COLUMNS}`,
    toRow,
  );
  const rename = prepareCommand(db, 'UPDATE pets SET name = ?, category_id = ? WHERE id = ?');
  const setState = prepareCommand(db, 'UPDATE pets SET status = ?, stock = ? WHERE id = ?');
  const remove = prepareCommand(db, 'DELETE FROM pets WHERE id = ?');
  const list = createPetLister(db);
  return {
    get: (id: bigint) => get.get(id),
    list: (filter: PetFilter, page: Page) =>
      filter.id === undefined ? list(filter, page) : listByIds(get.get, filter.id, filter, page),
    insert: ({ name, categoryId, status, stock }: Omit<PetRow, 'id'>) => insert.get(name, categoryId, status, stock)!,
    rename: (id: bigint, { name, categoryId }: NewPet) => rename(name, categoryId, id),
    setState: (id: bigint, { status, stock }: PetChange) => setState(status, stock, id),
    remove: (id: bigint) => remove(id),
  };
}

/** Looks up each id by the primary key, which takes a tenth of the time of a query with a list of ids. */
function listByIds(
  get: (id: bigint) => PetRow | undefined,
  ids: readonly bigint[],
  { status, categoryId }: Omit<PetFilter, 'id'>,
  page: Page,
): PetRow[] {
  const size = Number(getFetchSize(page));
  const pets: PetRow[] = [];
  for (const id of sortIds(ids)) {
    if (pets.length === size) break;
    if (page.after !== undefined && id <= page.after) continue;
    const pet = get(id);
    if (pet === undefined || (status !== undefined && pet.status !== status)) continue;
    if (categoryId === undefined || pet.categoryId === categoryId) pets.push(pet);
  }
  return pets;
}

/** Sorts ids in ascending order, without duplicates. */
function sortIds(ids: readonly bigint[]): readonly bigint[] {
  if (ids.length === 1) return ids;
  return [...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * Each combination of filters has its own statement, so that each uses its index. Statements are prepared when first
 * needed.
 */
function createPetLister(db: DatabaseSync): (filter: Omit<PetFilter, 'id'>, page: Page) => PetRow[] {
  const statements = new Map<string, Select<PetRow>>();
  return (filter, page) => {
    const conditions: string[] = [];
    const values: SQLInputValue[] = [];
    const add = (condition: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return;
      conditions.push(condition);
      values.push(value);
    };
    add('status = ?', filter.status);
    add('category_id = ?', filter.categoryId);
    add('id > ?', page.after);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    let statement = statements.get(where);
    if (!statement) {
      statement = prepareSelect(db, `SELECT ${COLUMNS} FROM pets ${where} ORDER BY id LIMIT ?`, toRow);
      statements.set(where, statement);
    }
    return statement.all(...values, getFetchSize(page));
  };
}
