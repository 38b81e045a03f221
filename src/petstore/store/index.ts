import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../database.ts';
import { categoryStore, type CategoryStore } from './category-rows.ts';
import { orderStore, type OrderStore } from './order-rows.ts';
import { petStore, type PetStore } from './pet-rows.ts';

export interface Store {
  pets: PetStore;
  categories: CategoryStore;
  orders: OrderStore;
  /**
   * Runs `work`, which must not be async, as one transaction: all of it or, if it throws, nothing. Every write belongs
   * in one: only the COMMIT says whether it is on disk, while a lone `INSERT … RETURNING` returns before that.
   */
  transaction: <Result>(work: () => Result) => Result;
}

export function createStore(db: DatabaseSync): Store {
  return {
    pets: petStore(db),
    categories: categoryStore(db),
    orders: orderStore(db),
    transaction: (work) => inTransaction(db, work),
  };
}
