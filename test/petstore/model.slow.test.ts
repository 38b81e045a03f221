import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Model, type Step } from '../support/petstore/petstore-model.ts';
import { makeCategory, startPetstore, type PetstoreResponse, type Api } from '../support/petstore/petstore.ts';

// Random histories run over HTTP, and are compared with a simple model of the rules.

const PETS = 2;
const pet = fc.nat({ max: PETS - 1 });
const order = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('order' as const), pet, quantity: fc.bigInt(1n, 3n) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('complete', 'undo', 'cancel'), order }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('stock' as const), pet, quantity: fc.bigInt(0n, 4n) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      pet,
      status: fc.constantFrom('available', 'pending', 'sold', undefined),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), pet }) },
);

let api: Api;
let categoryId: bigint;
beforeAll(async () => {
  api = await startPetstore();
  categoryId = await makeCategory(api);
});
afterAll(() => api.close());

/** Runs the history over HTTP. The numbers in the model are indexes of the ids that the service assigns. */
class Real {
  pets: bigint[] = [];
  orders: bigint[] = [];

  async run(one: Step): Promise<string | number> {
    const response = await this.send(one);
    if (response.status === 201) this.orders.push(response.body.id);
    return response.status < 400 ? response.status : response.body.code;
  }

  private send(one: Step): Promise<PetstoreResponse> {
    if ('order' in one) {
      const path = `/store/orders/${this.orders[one.order] ?? -1n}`;
      return one.do === 'cancel' ? api.delete(path) : api.put(path, { complete: one.do === 'complete' });
    }
    const id = this.pets[one.pet]!;
    if (one.do === 'order') return api.post('/store/orders', { petId: id, quantity: one.quantity });
    if (one.do === 'stock') return api.put(`/store/inventory/${id}`, { quantity: one.quantity });
    if (one.do === 'status') return api.put(`/pets/${id}`, { name: 'Rex', categoryId, status: one.status });
    return api.delete(`/pets/${id}`);
  }
}

async function expectSame(model: Model, real: Real): Promise<void> {
  for (const [index, id] of real.pets.entries()) {
    const wanted = model.pets.get(index);
    const [shown, entry] = [await api.get(`/pets?id=${id}`), await api.get(`/store/inventory/${id}`)];
    expect(shown.body).toEqual(wanted ? [{ id, name: 'Rex', categoryId, status: wanted.status }] : []);
    if (wanted) expect(entry.body).toEqual({ petId: id, quantity: wanted.stock, status: wanted.status });
    else expect(entry.status).toBe(404);
  }
  for (const [index, id] of real.orders.entries()) {
    const wanted = model.orders.get(index);
    const { status, body } = await api.get(`/store/orders/${id}`);
    const { quantity, complete, pet: at } = wanted ?? { pet: 0 };
    if (wanted) expect(body).toEqual({ id, petId: real.pets[at], quantity, complete });
    else expect(status).toBe(404);
  }
}

test('any sequence of changes to pets, orders and stock follows the rules', async () => {
  const history = fc.array(step, { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const [model, real] = [new Model(), new Real()];
      for (let index = 0; index < PETS; index++) {
        model.pets.set(index, { status: 'available', stock: 1n });
        real.pets.push((await api.post('/pets', { name: 'Rex', categoryId })).body.id);
      }
      for (const one of steps) {
        expect(await real.run(one)).toBe(model.run(one));
        await expectSame(model, real);
      }
    }),
    { numRuns: 40 },
  );
});
