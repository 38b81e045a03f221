/** Whoever knows nothing but the events knows all pets, their stock and all orders. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { until } from '../../support/log-lines.ts';
import { makeCategory } from '../../support/petstore/petstore.ts';
import { startTelling, type Told } from '../../support/petstore/telling.ts';

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

type Telling = Awaited<ReturnType<typeof startTelling>>;

function run(store: Telling, one: Step): Promise<{ status: number }> {
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

/** What one believes who was told. */
class Belief {
  readonly pets = new Map<bigint, { id: bigint; status: string }>();
  readonly stocks = new Map<bigint, bigint>();
  readonly orders = new Map<bigint, object>();
  readonly depleted: bigint[] = [];

  hear({ type, data }: Told): void {
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

/** All that is there. */
async function truth(store: Telling) {
  const all = async (path: string) => (await store.get(`${path}?limit=100`)).body;
  const stocks = (await all('/store/inventory')) as { petId: bigint; quantity: bigint }[];
  return {
    pets: await all('/pets'),
    stocks: stocks.map(({ petId, quantity: stock }) => [petId, stock]),
    orders: await all('/store/orders'),
  };
}

/** What is believed after a history. */
async function live(steps: readonly Step[]) {
  const store = await startTelling();
  try {
    await makeCategory(store);
    for (const one of [...steps, { do: 'make', name: 'Last', status: undefined } as const]) await run(store, one);
    await until(() => store.told.some(({ type, data }) => type === 'pet.created' && data.pet.name === 'Last'));
    const belief = new Belief();
    for (const told of store.told) belief.hear(told);
    expect(belief.depleted).toEqual([]);
    const { pets, stocks, orders } = belief;
    expect({ pets: [...pets.values()], stocks: [...stocks], orders: [...orders.values()] }).toEqual(await truth(store));
  } finally {
    await store.close();
  }
}

test('replaying the events of any history yields its result', async () => {
  const make = { do: 'make', name: 'Rex', status: undefined } as const;
  const history = fc.array(step, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(history, (steps) => live([make, make, ...steps])),
    { numRuns: 20 },
  );
}, 60_000);
