import { ApiError } from '../http/errors.ts';
import type { Call, Operations, Reply } from '../operation.ts';
import { pageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { Store } from '../store/index.ts';
import type { NewOrder, OrderRow, OrderUpdate } from '../store/order-rows.ts';
import { cancelOrder, checkOpen, completeOrder, placeOrder } from '../order-rules.ts';
import type { PetChange, PetState } from '../pet-rules.ts';
import { orderEvent, petChanges, type PetStoreEvent } from '../events.ts';
import { orderJson as show } from '../resources.ts';
import { petMissing } from './pets.ts';

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

/** Stock is checked and taken in one transaction, so it is never sold twice. */
function create(store: Store, order: NewOrder): OrderRow {
  return store.transaction(() => {
    const changes = changePet(store, order.petId, (pet) => placeOrder(pet, order.quantity));
    const made = store.orders.insert(order);
    store.tell(orderEvent('order.created', made), ...changes);
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
      store.tell(orderEvent('order.completed', updated), ...changePet(store, order.petId, completeOrder));
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
    store.tell(orderEvent('order.cancelled', order), ...changes);
  });
}

/** @returns what it did to the pet */
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
