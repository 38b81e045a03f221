import type { DatabaseSync } from 'node:sqlite';
import { prepareCommand, prepareExists, prepareSelect } from './database.ts';
import { getFetchSize, type Page } from '../http/paging.ts';

export interface NewOrder {
  petId: bigint;
  quantity: bigint;
  shipDate?: string;
}

export interface OrderUpdate {
  shipDate?: string;
  complete?: boolean;
}

export interface OrderRow {
  id: bigint;
  petId: bigint;
  quantity: bigint;
  shipDate: string | null;
  complete: boolean;
}

export type OrderStore = ReturnType<typeof createOrderStore>;

const COLUMNS = 'id, pet_id, quantity, ship_date, complete';
type Columns = [id: bigint, petId: bigint, quantity: bigint, shipDate: string | null, complete: bigint];

function toRow([id, petId, quantity, shipDate, complete]: Columns): OrderRow {
  return { id, petId, quantity, shipDate, complete: complete === 1n };
}

export function createOrderStore(db: DatabaseSync) {
  const selectOrderById = prepareSelect(db, `SELECT ${COLUMNS} FROM orders WHERE id = ?`, toRow);
  const selectFirst = prepareSelect(db, `SELECT ${COLUMNS} FROM orders ORDER BY id LIMIT ?`, toRow);
  const selectNext = prepareSelect(db, `SELECT ${COLUMNS} FROM orders WHERE id > ? ORDER BY id LIMIT ?`, toRow);
  const insert = prepareSelect(
    db,
    `INSERT INTO orders (pet_id, quantity, ship_date) VALUES (?, ?, ?) RETURNING ${COLUMNS}`,
    toRow,
  );
  const update = prepareSelect(
    db,
    `UPDATE orders SET ship_date = ?, complete = ? WHERE id = ? RETURNING ${COLUMNS}`,
    toRow,
  );
  const remove = prepareCommand(db, 'DELETE FROM orders WHERE id = ?');
  const findOpen = prepareExists(db, 'SELECT 1 FROM orders WHERE pet_id = ? AND complete = 0 LIMIT 1');
  return {
    get: (id: bigint) => selectOrderById.get(id),
    list: (page: Page) =>
      page.after === undefined ? selectFirst.all(getFetchSize(page)) : selectNext.all(page.after, getFetchSize(page)),
    insert: ({ petId, quantity, shipDate }: NewOrder) => insert.get(petId, quantity, shipDate ?? null)!,
    update: ({ id, shipDate, complete }: Pick<OrderRow, 'id' | 'shipDate' | 'complete'>) =>
      update.get(shipDate, complete ? 1n : 0n, id)!,
    remove: (id: bigint) => remove(id),
    hasOpen: (petId: bigint) => findOpen(petId),
  };
}
