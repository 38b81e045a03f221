import { toRawJson } from '../http/json.ts';
import type { OrderRow } from './order-rows.ts';
import type { PetRow } from './pet-rows.ts';

// This file formats Pet, Order and InventoryItem of the OpenAPI document as JSON. Integers keep all their digits.

/**
 * This text is built by hand, because it is the most frequent response. Calling `JSON.rawJSON` for the numbers would
 * take longer than the rest of this function.
 */
export function formatPet({ id, name, categoryId, status }: Omit<PetRow, 'stock'>): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

export function formatOrder({ id, petId, quantity, shipDate, complete }: OrderRow): string {
  const ids = { id: toRawJson(id), petId: toRawJson(petId), quantity: toRawJson(quantity) };
  return JSON.stringify({ ...ids, shipDate: shipDate ?? undefined, complete });
}

export function formatInventoryItem({ id, stock, status }: PetRow): string {
  return JSON.stringify({ petId: toRawJson(id), quantity: toRawJson(stock), status });
}
