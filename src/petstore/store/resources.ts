import { exact } from '../http/json.ts';
import type { OrderRow } from './order-rows.ts';
import type { PetRow } from './pet-rows.ts';

/** The JSON of Pet, Order and InventoryItem, as the OpenAPI document calls them. Integers have all their digits. */

/**
 * The text is built by hand because it is the most frequent reply. Raw JSON numbers would cost more than the rest of
 * the reply.
 */
export function petJson({ id, name, categoryId, status }: Omit<PetRow, 'stock'>): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

export function orderJson({ id, petId, quantity, shipDate, complete }: OrderRow): string {
  const ids = { id: exact(id), petId: exact(petId), quantity: exact(quantity) };
  return JSON.stringify({ ...ids, shipDate: shipDate ?? undefined, complete });
}

export function inventoryJson({ id, stock, status }: PetRow): string {
  return JSON.stringify({ petId: exact(id), quantity: exact(stock), status });
}
