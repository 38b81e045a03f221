import { ApiError } from '../http/errors.ts';
import type { Call, Operations, Reply } from '../http/operation.ts';
import { pageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import { petMissing } from './pets.ts';
import { orderJson as show } from '../store/resources.ts';
import type { Store } from '../store/index.ts';
import type { NewOrder, OrderRow, OrderUpdate } from '../store/order-rows.ts';
import { type PetChange, type PetState, MAX_STOCK, withStock } from '../store/pet-rules.ts';
import { orderEvent, petChanges, type PetStoreEvent } from '../store/pet-store-events.ts';

export function orderOperations(store: Store): Operations {
  const { orders } = store;
  const list: List<OrderRow> = { name: 'orders', path: '/store/orders', idOf: (row) => row.id, show };
  return {
    listOrders: ({ query }: Call<undefined, PageQuery>) => pageReply(list, query, orders.list(readPage(list, query))),
    createOrder: ({ body }: Call<NewOrder>) => {
      const made = create(store, body);
      return { ...reply(made), status: 201, headers: { Location: `/store/orders/${made.id}` } };
    },
    getOrder: ({ path }: Call) => reply(orders.get(path.orderId!) ?? missing(path.orderId!)),
    updateOrder: ({ path, body }: Call<OrderUpdate>) => reply(update(store, path.orderId!, body)),
    cancelOrder: ({ path }: Call) => {
      cancel(store, path.orderId!);
      return { status: 204 };
    },
  };
}

/** Creates an order. The stock is checked and reduced in one transaction, so that nothing is sold twice. */
function create(store: Store, order: NewOrder): OrderRow {
  return store.transaction(() => {
    const changes = changePet(store, order.petId, (pet) => placeOrder(pet, order.quantity));
    const made = store.orders.insert(order);
    store.addEvents(orderEvent('order.created', made), ...changes);
    return made;
  });
}

function update(store: Store, id: bigint, { shipDate, complete }: OrderUpdate): OrderRow {
  return store.transaction(() => {
    const order = store.orders.get(id) ?? missing(id);
    if (complete === false) checkOpen(order);
    const next = { id, shipDate: shipDate ?? order.shipDate, complete: complete ?? order.complete };
    const updated = store.orders.update(next);
    if (!order.complete && complete) {
      store.addEvents(orderEvent('order.completed', updated), ...changePet(store, order.petId, completeOrder));
    }
    return updated;
  });
}

function cancel(store: Store, id: bigint): void {
  store.transaction(() => {
    const order = store.orders.get(id) ?? missing(id);
    checkOpen(order);
    store.orders.remove(id);
    const changes = changePet(store, order.petId, (pet) => cancelOrder(pet, order.quantity));
    store.addEvents(orderEvent('order.cancelled', order), ...changes);
  });
}

/** Changes the pet of an order. @returns the events about this change */
function changePet(store: Store, id: bigint, change: (pet: PetState) => PetChange): PetStoreEvent[] {
  const pet = store.pets.get(id) ?? petMissing(id);
  const next = change({ ...pet, openOrders: store.orders.hasOpen(id) });
  store.pets.setState(id, next);
  return petChanges(pet, { ...pet, ...next });
}

const reply = (row: OrderRow): Reply => ({ status: 200, body: show(row) });

function missing(id: bigint): never {
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
  return withStock(pet.stock - quantity, true);
}

/** Returns the pet's state after an open order was completed. A pet that still has stock does not change. */
function completeOrder(pet: PetState): PetChange {
  return pet.stock === 0n ? withStock(0n, pet.openOrders) : { status: pet.status, stock: pet.stock };
}

/** Returns the pet's state after an order was canceled. The quantity is added to the stock again. */
function cancelOrder(pet: PetState, quantity: bigint): PetChange {
  const stock = pet.stock + quantity;
  return withStock(stock > MAX_STOCK ? MAX_STOCK : stock, pet.openOrders);
}
