import type { DatabaseSync } from 'node:sqlite';
import { prepare } from '../database.ts';
import { fetchSize, type Page } from '../paging.ts';

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
  /** 0 or 1. */
  complete: bigint;
}

export type OrderStore = ReturnType<typeof orderStore>;

const COLUMNS = 'id, pet_id AS petId, quantity, ship_date AS shipDate, complete';

export function orderStore(db: DatabaseSync) {
  const get = prepare<OrderRow>(db, `SELECT ${COLUMNS} FROM orders WHERE id = ?`);
  const first = prepare<OrderRow>(db, `SELECT ${COLUMNS} FROM orders ORDER BY id LIMIT ?`);
  const next = prepare<OrderRow>(db, `SELECT ${COLUMNS} FROM orders WHERE id > ? ORDER BY id LIMIT ?`);
  const insert = prepare<OrderRow>(
    db,
    `INSERT INTO orders (pet_id, quantity, ship_date) VALUES (?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const update = prepare<OrderRow>(
    db,
    `UPDATE orders SET ship_date = ?, complete = ? WHERE id = ? RETURNING ${COLUMNS}`,
  );
  const remove = prepare(db, 'DELETE FROM orders WHERE id = ?');
  const open = prepare(db, 'SELECT 1 FROM orders WHERE pet_id = ? AND complete = 0 LIMIT 1');
  return {
    get: (id: bigint) => get.get(id),
    list: (page: Page) =>
      page.after === undefined ? first.all(fetchSize(page)) : next.all(page.after, fetchSize(page)),
    insert: ({ petId, quantity, shipDate }: NewOrder) => insert.get(petId, quantity, shipDate ?? null)!,
    update: ({ id, shipDate, complete }: Pick<OrderRow, 'id' | 'shipDate' | 'complete'>) =>
      update.get(shipDate, complete, id)!,
    remove: (id: bigint) => void remove.run(id),
    hasOpen: (petId: bigint) => open.get(petId) !== undefined,
  };
}
