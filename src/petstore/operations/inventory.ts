import type { Call, Operations, Reply } from '../http/operation.ts';
import { pageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { Store } from '../store/index.ts';
import type { PetRow } from '../store/pet-rows.ts';
import { petChanges } from '../store/pet-store-events.ts';
import { restock } from '../store/pet-rules.ts';
import { inventoryJson as show } from '../store/resources.ts';
import { petMissing } from './pets.ts';

interface InventoryUpdate {
  quantity: bigint;
}

export function inventoryOperations(store: Store): Operations {
  const { pets } = store;
  const list: List<PetRow> = { name: 'inventory', path: '/store/inventory', idOf: (row) => row.id, show };
  return {
    listInventory: ({ query }: Call<undefined, PageQuery>) =>
      pageReply(list, query, pets.list({}, readPage(list, query))),
    getInventory: ({ path }: Call) => reply(pets.get(path.petId!) ?? petMissing(path.petId!)),
    setInventory: ({ path, body }: Call<InventoryUpdate>) => reply(setStock(store, path.petId!, body.quantity)),
  };
}

function setStock(store: Store, id: bigint, stock: bigint): PetRow {
  return store.transaction(() => {
    const pet = store.pets.get(id) ?? petMissing(id);
    const next = restock({ ...pet, openOrders: store.orders.hasOpen(id) }, stock);
    store.pets.setState(id, next);
    const restocked = { ...pet, ...next };
    store.addEvents(...petChanges(pet, restocked));
    return restocked;
  });
}

const reply = (row: PetRow): Reply => ({ status: 200, body: show(row) });
