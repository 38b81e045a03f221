import { ApiError, invalid } from '../http/errors.ts';
import type { Call, Operations, Reply } from '../http/operation.ts';
import { pageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { Store } from '../store/index.ts';
import type { NewPet, PetFilter, PetRow } from '../store/pet-rows.ts';
import { petChanges, petEvent } from '../store/pet-store-events.ts';
import { setStatus, STOCK_OF_NEW } from '../store/pet-rules.ts';
import { petJson as show } from '../store/resources.ts';

export function petOperations(store: Store): Operations {
  const { pets } = store;
  const list: List<PetRow> = { name: 'pets', path: '/pets', idOf: (row) => row.id, show };
  return {
    listPets: ({ query }: Call<undefined, PageQuery & PetFilter>) =>
      pageReply(list, query, pets.list(query, readPage(list, query))),
    createPet: ({ body }: Call<NewPet>) => {
      const made = createPet(store, body);
      return { ...reply(made), status: 201, headers: { Location: `/pets/${made.id}` } };
    },
    getPet: ({ path }: Call) => reply(pets.get(path.petId!) ?? petMissing(path.petId!)),
    replacePet: ({ path, body }: Call<NewPet>) => reply(replacePet(store, path.petId!, body)),
    deletePet: ({ path }: Call) => {
      deletePet(store, path.petId!);
      return { status: 204 };
    },
  };
}

function createPet(store: Store, { name, categoryId, status = 'available' }: NewPet): PetRow {
  return store.transaction(() => {
    checkCategory(store, categoryId);
    const made = store.pets.insert({ name, categoryId, status, stock: STOCK_OF_NEW[status] });
    store.addEvents(petEvent('pet.created', made));
    return made;
  });
}

function replacePet(store: Store, id: bigint, wanted: NewPet): PetRow {
  return store.transaction(() => {
    const pet = store.pets.get(id) ?? petMissing(id);
    checkCategory(store, wanted.categoryId);
    const openOrders = store.orders.hasOpen(id);
    const next = setStatus({ ...pet, openOrders }, wanted.status ?? pet.status);
    store.pets.rename(id, wanted);
    store.pets.setState(id, next);
    const replaced = { ...pet, ...next, name: wanted.name, categoryId: wanted.categoryId };
    store.addEvents(...petChanges(pet, replaced));
    return replaced;
  });
}

function deletePet(store: Store, id: bigint): void {
  store.transaction(() => {
    const pet = store.pets.get(id) ?? petMissing(id);
    if (store.orders.hasOpen(id)) {
      throw new ApiError('pet_has_open_orders', `Pet ${id} has open orders: complete or cancel them first.`);
    }
    store.pets.remove(id);
    store.addEvents(petEvent('pet.deleted', pet));
  });
}

function checkCategory(store: Store, id: bigint): void {
  if (!store.categories.get(id)) throw invalid('/categoryId', `names no category: there is no category ${id}`);
}

const reply = (row: PetRow): Reply => ({ status: 200, body: show(row) });

export function petMissing(id: bigint): never {
  throw new ApiError('pet_not_found', `There is no pet ${id}.`);
}
