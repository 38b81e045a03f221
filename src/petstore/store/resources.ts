import { exact } from '../http/json.ts';
import type { OrderRow } from './order-rows.ts';
import type { PetRow } from './pet-rows.ts';

// This file formats Pet, Order and InventoryItem of the OpenAPI document as JSON. Integers keep all their digits.

/**
 * This text is built by hand, because it is the most frequent response. `JSON.rawJSON` for the numbers would take longer
 * than everything else in it.
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
