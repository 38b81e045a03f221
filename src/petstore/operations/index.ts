import type { Operations } from '../http/operation.ts';
import type { Store } from '../store/index.ts';
import { categoryOperations } from './categories.ts';
import { inventoryOperations } from './inventory.ts';
import { orderOperations } from './orders.ts';
import { petOperations } from './pets.ts';

/** All handlers, by operationId of the OpenAPI document. */
export function allOperations(store: Store): Operations {
  return {
    ...petOperations(store),
    ...categoryOperations(store),
    ...orderOperations(store),
    ...inventoryOperations(store),
  };
}
