import { ApiError } from '../http/errors.ts';
import type { Call, Operations, Reply } from '../http/operation.ts';
import { createPageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import { throwPetNotFound } from './pets.ts';
import { formatOrder } from '../store/resources.ts';
import type { Store } from '../store/index.ts';
import type { NewOrder, OrderRow, OrderUpdate } from '../store/order-rows.ts';
import { type PetChange, type PetState, MAX_STOCK, toStateWithStock } from '../store/pet-rules.ts';
import { createOrderEvent, createPetChangeEvents, type PetStoreEvent } from '../store/pet-store-events.ts';

export function createOrderOperations(store: Store): Operations {
  const { orders } = store;
  const list: List<OrderRow> = { name: 'orders', path: '/store/orders', getId: (row) => row.id, format: formatOrder };
  return {
    listOrders: ({ query }: Call<undefined, PageQuery>) =>
      createPageReply(list, query, orders.list(readPage(list, query))),
    createOrder: ({ body }: Call<NewOrder>) => {
      const createdOrder = createOrder(store, body);
      return { ...toReply(createdOrder), status: 201, headers: { Location: `/store/orders/${createdOrder.id}` } };
    },
    getOrder: ({ path }: Call) => toReply(orders.get(path.orderId!) ?? throwOrderNotFound(path.orderId!)),
    updateOrder: ({ path, body }: Call<OrderUpdate>) => toReply(updateOrder(store, path.orderId!, body)),
    cancelOrder: ({ path }: Call) => {
      cancelOpenOrder(store, path.orderId!);
      return { status: 204 };
    },
  };
}

/** Creates an order. The stock is checked and reduced in one transaction, so that nothing is sold twice. */
function createOrder(store: Store, order: NewOrder): OrderRow {
  return store.transaction(() => {
    const changes = changePet(store, order.petId, (pet) => placeOrder(pet, order.quantity));
    const createdOrder = store.orders.insert(order);
    store.addEvents(createOrderEvent('order.created', createdOrder), ...changes);
    return createdOrder;
  });
}

function updateOrder(store: Store, id: bigint, { shipDate, complete }: OrderUpdate): OrderRow {
  return store.transaction(() => {
    const order = store.orders.get(id) ?? throwOrderNotFound(id);
    if (complete === false) checkOpen(order);
    const next = { id, shipDate: shipDate ?? order.shipDate, complete: complete ?? order.complete };
    const updated = store.orders.update(next);
    if (!order.complete && complete) {
      store.addEvents(createOrderEvent('order.completed', updated), ...changePet(store, order.petId, completeOrder));
    }
    return updated;
  });
}

function cancelOpenOrder(store: Store, id: bigint): void {
  store.transaction(() => {
    const order = store.orders.get(id) ?? throwOrderNotFound(id);
    checkOpen(order);
    store.orders.remove(id);
    const changes = changePet(store, order.petId, (pet) => cancelOrder(pet, order.quantity));
    store.addEvents(createOrderEvent('order.cancelled', order), ...changes);
  });
}

/** Changes the pet of an order. @returns the events about this change */
function changePet(store: Store, id: bigint, change: (pet: PetState) => PetChange): PetStoreEvent[] {
  const pet = store.pets.get(id) ?? throwPetNotFound(id);
  const next = change({ ...pet, hasOpenOrders: store.orders.hasOpen(id) });
  store.pets.setState(id, next);
  return createPetChangeEvents(pet, { ...pet, ...next });
}

const toReply = (row: OrderRow): Reply => ({ status: 200, body: formatOrder(row) });

function throwOrderNotFound(id: bigint): never {
  throw new ApiError('order_not_found', `There is no order ${id}.`);
}

/**
 * Checks that an order is still open. Throws ApiError `order_complete`, because a complete order cannot be changed back.
 */
function checkOpen({ id, complete }: OrderRow): void {
  if (complete) throw new ApiError('order_complete', `Order ${id} is complete and can no longer be changed.`);
}

/** Takes the quantity of a new order from the stock. Throws ApiError `out_of_stock` or `pet_not_available`. */
function placeOrder(pet: PetState, quantity: bigint): PetChange {
  if (pet.stock === 0n || (pet.status === 'available' && pet.stock < quantity)) {
    throw new ApiError('out_of_stock', `Pet ${pet.id} has a stock of ${pet.stock}, but the order is for ${quantity}.`);
  }
  if (pet.status !== 'available') {
    throw new ApiError('pet_not_available', `Pet ${pet.id} is ${pet.status}, so it cannot be ordered.`);
  }
  return toStateWithStock(pet.stock - quantity, true);
}

/** Returns the pet's state after an open order was completed. A pet that still has stock does not change. */
function completeOrder(pet: PetState): PetChange {
  return pet.stock === 0n ? toStateWithStock(0n, pet.hasOpenOrders) : { status: pet.status, stock: pet.stock };
}

/** Returns the pet's state after an order was canceled. The quantity is added to the stock again. */
function cancelOrder(pet: PetState, quantity: bigint): PetChange {
  const stock = pet.stock + quantity;
  return toStateWithStock(stock > MAX_STOCK ? MAX_STOCK : stock, pet.hasOpenOrders);
}
