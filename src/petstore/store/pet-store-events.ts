import { formatOrder, formatPet } from './resources.ts';
import type { OrderRow } from './order-rows.ts';
import type { PetRow } from './pet-rows.ts';

/** The types of events, as listed under `webhooks` in the OpenAPI document. */
export const EVENT_TYPES = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.created',
  'order.completed',
  'order.cancelled',
  'inventory.changed',
  'inventory.depleted',
] as const;

type EventType = (typeof EVENT_TYPES)[number];

/** An event about a change in the pet store. */
export interface PetStoreEvent {
  readonly type: EventType;
  /** The id of the pet or order. */
  readonly subject: bigint;
  /** JSON text. */
  readonly data: string;
}

export function createPetEvent(type: 'pet.created' | 'pet.deleted', pet: PetRow): PetStoreEvent {
  return { type, subject: pet.id, data: `{"pet":${formatPet(pet)}}` };
}

export function createOrderEvent(
  type: 'order.created' | 'order.completed' | 'order.cancelled',
  order: OrderRow,
): PetStoreEvent {
  return { type, subject: order.id, data: `{"order":${formatOrder(order)}}` };
}

/**
 * Creates the events about a change to a pet by comparing it before and after. So they do not depend on the kind of
 * request: an order may also change the pet's status, and a new status may change its stock.
 */
export function createPetChangeEvents(before: PetRow, after: PetRow): PetStoreEvent[] {
  const events: PetStoreEvent[] = [];
  const { id: subject, stock } = after;
  const [petAfter, petBefore] = [formatPet(after), formatPet(before)];
  if (petAfter !== petBefore)
    events.push({ type: 'pet.updated', subject, data: `{"pet":${petAfter},"before":${petBefore}}` });
  if (stock !== before.stock) {
    const data = `{"petId":${subject},"quantity":${stock},"before":${before.stock}}`;
    events.push({ type: 'inventory.changed', subject, data });
    if (stock === 0n) events.push({ type: 'inventory.depleted', subject, data: `{"petId":${subject}}` });
  }
  return events;
}
