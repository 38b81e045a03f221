import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { prepare, type Statement } from '../database.ts';
import { fetchSize, type Page } from '../paging.ts';
import type { Outcome, PetStatus } from '../transitions.ts';

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

/** A pet must match every filter that is given; `id` takes any of several. */
export interface PetFilter {
  id?: readonly bigint[];
  status?: PetStatus;
  categoryId?: bigint;
}

export type PetStore = ReturnType<typeof petStore>;

const COLUMNS = 'id, name, category_id AS categoryId, status, stock';

export function petStore(db: DatabaseSync) {
  const get = prepare<PetRow>(db, `SELECT ${COLUMNS} FROM pets WHERE id = ?`);
  const insert = prepare<PetRow>(
    db,
    `INSERT INTO pets (name, category_id, status, stock) VALUES (?, ?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const rename = prepare(db, 'UPDATE pets SET name = ?, category_id = ? WHERE id = ?');
  const setState = prepare(db, 'UPDATE pets SET status = ?, stock = ? WHERE id = ?');
  const remove = prepare(db, 'DELETE FROM pets WHERE id = ?');
  return {
    get: (id: bigint) => get.get(id),
    list: petLister(db),
    insert: ({ name, categoryId, status, stock }: Omit<PetRow, 'id'>) => insert.get(name, categoryId, status, stock)!,
    rename: (id: bigint, { name, categoryId }: NewPet) => void rename.run(name, categoryId, id),
    setState: (id: bigint, { status, stock }: Outcome) => void setState.run(status, stock, id),
    remove: (id: bigint) => void remove.run(id),
  };
}

/** Each combination of filters is a statement of its own, so that each uses its index; made when first asked for. */
function petLister(db: DatabaseSync): (filter: PetFilter, page: Page) => PetRow[] {
  const statements = new Map<string, Statement<PetRow>>();
  return (filter, page) => {
    const conditions: string[] = [];
    const values: SQLInputValue[] = [];
    const add = (condition: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return;
      conditions.push(condition);
      values.push(value);
    };
    add('id IN (SELECT value FROM json_each(?))', filter.id && `[${filter.id.join()}]`);
    add('status = ?', filter.status);
    add('category_id = ?', filter.categoryId);
    add('id > ?', page.after);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    let statement = statements.get(where);
    if (!statement) {
      statement = prepare<PetRow>(db, `SELECT ${COLUMNS} FROM pets ${where} ORDER BY id LIMIT ?`);
      statements.set(where, statement);
    }
    return statement.all(...values, fetchSize(page));
  };
}
