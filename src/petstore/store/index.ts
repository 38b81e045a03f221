import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './database.ts';
import type { PetStoreEvent } from './pet-store-events.ts';
import { createCategoryStore, type CategoryStore } from './category-rows.ts';
import { createOrderStore, type OrderStore } from './order-rows.ts';
import { MAX_WAITING_EVENTS, createOutbox, type Outbox } from './outbox.ts';
import { createPetStore, type PetStore } from './pet-rows.ts';

export interface Store {
  pets: PetStore;
  categories: CategoryStore;
  orders: OrderStore;
  outbox: Outbox;
  /**
   * Runs `work` in a transaction, which is rolled back if `work` throws. `work` must not be async. Every write must be in a
   * transaction: only COMMIT reports whether a write is on disk, and an `INSERT … RETURNING` by itself returns earlier.
   */
  transaction: <Result>(work: () => Result) => Result;
  /**
   * Stores events to be published. Call this within the transaction of the change, so that both are stored or neither
   * is.
   */
  addEvents: (...events: readonly PetStoreEvent[]) => void;
}

interface EventOptions {
  /** The types of events that are published. */
  types: ReadonlySet<string>;
  /** Called after a transaction that added events. */
  onEventsAdded: () => void;
  /** Maximum number of waiting events. Beyond it, changes are refused. */
  maxWaiting?: number;
}

export function createStore(
  db: DatabaseSync,
  { types, onEventsAdded, maxWaiting = MAX_WAITING_EVENTS }: EventOptions,
): Store {
  const outbox = createOutbox(db, types, maxWaiting);
  let hasNewEvents = false;
  return {
    pets: createPetStore(db),
    categories: createCategoryStore(db),
    orders: createOrderStore(db),
    outbox,
    transaction(work) {
      hasNewEvents = false;
      const result = inTransaction(db, work);
      if (hasNewEvents) onEventsAdded();
      return result;
    },
    addEvents(...events) {
      if (outbox.add(events)) hasNewEvents = true;
    },
  };
}
