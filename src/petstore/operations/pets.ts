import { ApiError, invalidField } from '../http/errors.ts';
import type { Call, Operations, Reply } from '../http/operation.ts';
import { createPageReply, readPage, type List, type PageQuery } from '../http/paging.ts';
import type { Store } from '../store/index.ts';
import type { NewPet, PetFilter, PetRow } from '../store/pet-rows.ts';
import { createPetChangeEvents, createPetEvent } from '../store/pet-store-events.ts';
import { setStatus, INITIAL_STOCK } from '../store/pet-rules.ts';
import { formatPet } from '../store/resources.ts';

export function createPetOperations(store: Store): Operations {
  const { pets } = store;
  const list: List<PetRow> = { name: 'pets', path: '/pets', getId: (row) => row.id, format: formatPet };
  return {
    listPets: ({ query }: Call<undefined, PageQuery & PetFilter>) =>
      createPageReply(list, query, pets.list(query, readPage(list, query))),
    createPet: ({ body }: Call<NewPet>) => {
      const createdPet = createPet(store, body);
      return { ...toReply(createdPet), status: 201, headers: { Location: `/pets/${createdPet.id}` } };
    },
    getPet: ({ path }: Call) => toReply(pets.get(path.petId!) ?? throwPetNotFound(path.petId!)),
    replacePet: ({ path, body }: Call<NewPet>) => toReply(replacePet(store, path.petId!, body)),
    deletePet: ({ path }: Call) => {
      deletePet(store, path.petId!);
      return { status: 204 };
    },
  };
}

function createPet(store: Store, { name, categoryId, status = 'available' }: NewPet): PetRow {
  return store.transaction(() => {
    checkCategory(store, categoryId);
    const createdPet = store.pets.insert({ name, categoryId, status, stock: INITIAL_STOCK[status] });
    store.addEvents(createPetEvent('pet.created', createdPet));
    return createdPet;
  });
}

function replacePet(store: Store, id: bigint, newPet: NewPet): PetRow {
  return store.transaction(() => {
    const pet = store.pets.get(id) ?? throwPetNotFound(id);
    checkCategory(store, newPet.categoryId);
    const hasOpenOrders = store.orders.hasOpen(id);
    const nextState = setStatus({ ...pet, hasOpenOrders }, newPet.status ?? pet.status);
    store.pets.rename(id, newPet);
    store.pets.setState(id, nextState);
    const replacedPet = { ...pet, ...nextState, name: newPet.name, categoryId: newPet.categoryId };
    store.addEvents(...createPetChangeEvents(pet, replacedPet));
    return replacedPet;
  });
}

function deletePet(store: Store, id: bigint): void {
  store.transaction(() => {
    const pet = store.pets.get(id) ?? throwPetNotFound(id);
    if (store.orders.hasOpen(id)) {
      throw new ApiError('pet_has_open_orders', `Pet ${id} has open orders: complete or cancel them first.`);
    }
    store.pets.remove(id);
    store.addEvents(createPetEvent('pet.deleted', pet));
  });
}

function checkCategory(store: Store, id: bigint): void {
  if (!store.categories.get(id)) throw invalidField('/categoryId', `names no category: there is no category ${id}`);
}

const toReply = (row: PetRow): Reply => ({ status: 200, body: formatPet(row) });

export function throwPetNotFound(id: bigint): never {
  throw new ApiError('pet_not_found', `There is no pet ${id}.`);
}
