import type { Operations } from '../http/operation.ts';
import type { Store } from '../store/index.ts';
import { createCategoryOperations } from './categories.ts';
import { createInventoryOperations } from './inventory.ts';
import { createOrderOperations } from './orders.ts';
import { createPetOperations } from './pets.ts';

/** All handlers, by operationId of the OpenAPI document. */
export function createOperations(store: Store): Operations {
  return {
    ...createPetOperations(store),
    ...createCategoryOperations(store),
    ...createOrderOperations(store),
    ...createInventoryOperations(store),
  };
}
