import type { Call, Operations, Reply } from '../http/operation.ts';
import { createPageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { Store } from '../store/index.ts';
import type { PetRow } from '../store/pet-rows.ts';
import { createPetChangeEvents } from '../store/pet-store-events.ts';
import { restock } from '../store/pet-rules.ts';
import { formatInventoryItem } from '../store/resources.ts';
import { throwPetNotFound } from './pets.ts';

interface InventoryUpdate {
  quantity: bigint;
}

export function createInventoryOperations(store: Store): Operations {
  const { pets } = store;
  const list: List<PetRow> = {
    name: 'inventory',
    path: '/store/inventory',
    getId: (row) => row.id,
    format: formatInventoryItem,
  };
  return {
    listInventory: ({ query }: Call<undefined, PageQuery>) =>
      createPageReply(list, query, pets.list({}, readPage(list, query))),
    getInventory: ({ path }: Call) => toReply(pets.get(path.petId!) ?? throwPetNotFound(path.petId!)),
    setInventory: ({ path, body }: Call<InventoryUpdate>) => toReply(setStock(store, path.petId!, body.quantity)),
  };
}

function setStock(store: Store, id: bigint, stock: bigint): PetRow {
  return store.transaction(() => {
    const pet = store.pets.get(id) ?? throwPetNotFound(id);
    const nextState = restock({ ...pet, hasOpenOrders: store.orders.hasOpen(id) }, stock);
    store.pets.setState(id, nextState);
    const restockedPet = { ...pet, ...nextState };
    store.addEvents(...createPetChangeEvents(pet, restockedPet));
    return restockedPet;
  });
}

const toReply = (row: PetRow): Reply => ({ status: 200, body: formatInventoryItem(row) });
