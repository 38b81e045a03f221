/** The events alone suffice to reconstruct all pets, their stock and all orders. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { until } from '../../support/until.ts';
import { makeCategory } from '../../support/petstore/petstore.ts';
import { startPublishing, type PublishedEvent } from '../../support/petstore/publishing.ts';

const id = fc.integer({ min: 1, max: 4 });
const quantity = fc.integer({ min: 0, max: 3 });
const status = fc.constantFrom('available', 'pending', 'sold', undefined);
const name = fc.constantFrom<string>('Rex', 'Bella');
const step = fc.oneof(
  fc.record({ do: fc.constant('make' as const), name, status }),
  fc.record({ do: fc.constant('replace' as const), id, name, status }),
  fc.record({ do: fc.constant('delete' as const), id }),
  fc.record({ do: fc.constant('stock' as const), id, quantity }),
  fc.record({ do: fc.constant('order' as const), id, quantity }),
  fc.record({ do: fc.constant('complete' as const), id }),
  fc.record({ do: fc.constant('cancel' as const), id }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

type PublishingStore = Awaited<ReturnType<typeof startPublishing>>;

function run(store: PublishingStore, one: Step): Promise<{ status: number }> {
  if (one.do === 'make') return store.post('/pets', { name: one.name, categoryId: 1, status: one.status });
  if (one.do === 'replace') {
    return store.put(`/pets/${one.id}`, { name: one.name, categoryId: 1, status: one.status });
  }
  if (one.do === 'delete') return store.delete(`/pets/${one.id}`);
  if (one.do === 'stock') return store.put(`/store/inventory/${one.id}`, { quantity: one.quantity });
  if (one.do === 'order') return store.post('/store/orders', { petId: one.id, quantity: Math.max(1, one.quantity) });
  if (one.do === 'complete') return store.put(`/store/orders/${one.id}`, { complete: true });
  return store.delete(`/store/orders/${one.id}`);
}

/** A state that is reconstructed from events. */
class Replica {
  readonly pets = new Map<bigint, { id: bigint; status: string }>();
  readonly stocks = new Map<bigint, bigint>();
  readonly orders = new Map<bigint, object>();
  readonly depleted: bigint[] = [];

  apply({ type, data }: PublishedEvent): void {
    if (type === 'pet.created') {
      expect(this.pets.has(data.pet.id)).toBe(false);
      this.pets.set(data.pet.id, data.pet);
      this.stocks.set(data.pet.id, data.pet.status === 'sold' ? 0n : 1n);
    } else if (type === 'pet.updated') {
      expect(this.pets.get(data.pet.id)).toEqual(data.before);
      expect(data.pet).not.toEqual(data.before);
      this.pets.set(data.pet.id, data.pet);
    } else if (type === 'pet.deleted') {
      expect(this.pets.get(data.pet.id)).toEqual(data.pet);
      this.pets.delete(data.pet.id);
      this.stocks.delete(data.pet.id);
    } else if (type === 'inventory.changed') {
      expect(this.stocks.get(data.petId)).toBe(data.before);
      expect(data.quantity).not.toBe(data.before);
      this.stocks.set(data.petId, data.quantity);
      if (data.quantity === 0n) this.depleted.push(data.petId);
    } else if (type === 'inventory.depleted') {
      expect(this.depleted.shift()).toBe(data.petId);
    } else if (type === 'order.created') {
      expect(this.orders.has(data.order.id)).toBe(false);
      this.orders.set(data.order.id, data.order);
    } else if (type === 'order.completed') {
      expect(this.orders.get(data.order.id)).toEqual({ ...data.order, complete: false });
      this.orders.set(data.order.id, data.order);
    } else {
      expect(this.orders.get(data.order.id)).toEqual(data.order);
      this.orders.delete(data.order.id);
    }
  }
}

/** Reads the actual state of the store. */
async function actualState(store: PublishingStore) {
  const all = async (path: string) => (await store.get(`${path}?limit=100`)).body;
  const stocks = (await all('/store/inventory')) as { petId: bigint; quantity: bigint }[];
  return {
    pets: await all('/pets'),
    stocks: stocks.map(({ petId, quantity: stock }) => [petId, stock]),
    orders: await all('/store/orders'),
  };
}

/** Runs a history, and compares the reconstructed state with the actual one. */
async function compareReplica(steps: readonly Step[]) {
  const store = await startPublishing();
  try {
    await makeCategory(store);
    for (const one of [...steps, { do: 'make', name: 'Last', status: undefined } as const]) await run(store, one);
    await until(() => store.published.some(({ type, data }) => type === 'pet.created' && data.pet.name === 'Last'));
    const replica = new Replica();
    for (const event of store.published) replica.apply(event);
    expect(replica.depleted).toEqual([]);
    const { pets, stocks, orders } = replica;
    expect({ pets: [...pets.values()], stocks: [...stocks], orders: [...orders.values()] }).toEqual(
      await actualState(store),
    );
  } finally {
    await store.close();
  }
}

test('replaying the events of any history reconstructs the final state', async () => {
  const make = { do: 'make', name: 'Rex', status: undefined } as const;
  const history = fc.array(step, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(history, (steps) => compareReplica([make, make, ...steps])),
    { numRuns: 20 },
  );
});
