import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { makeCategory, startPetstore, type Answer, type Api } from '../support/petstore.ts';

// Random histories over the real HTTP app, held against the simplest model of the rules that can be written down.

type Status = 'available' | 'pending' | 'sold';
interface Pet {
  status: Status;
  stock: bigint;
}
interface Order {
  pet: number;
  quantity: bigint;
  complete: boolean;
}
/** Where the order is already gone, `order` picks none and the step is skipped. */
type Step =
  | { do: 'order'; pet: number; quantity: bigint }
  | { do: 'complete' | 'undo' | 'cancel'; order: number }
  | { do: 'stock'; pet: number; quantity: bigint }
  | { do: 'status'; pet: number; status: Status | undefined }
  | { do: 'delete'; pet: number };

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

class Model {
  pets = new Map<number, Pet>();
  orders = new Map<number, Order>();
  private made = 0;

  /** The code of the refusal, or the status of success. */
  run(one: Step): string | number {
    if ('order' in one) return this.changeOrder(one.do, one.order);
    const at = this.pets.get(one.pet);
    if (!at) return 'pet_not_found';
    if (one.do === 'order') return this.place(at, one.pet, one.quantity);
    if (one.do === 'stock') return this.settle(at, one.pet, one.quantity);
    if (one.do === 'status') return this.setStatus(at, one.pet, one.status ?? at.status);
    if (this.isOpen(one.pet)) return 'pet_has_open_orders';
    this.pets.delete(one.pet);
    return 204;
  }

  private place(at: Pet, id: number, quantity: bigint): string | number {
    if (at.stock === 0n) return 'out_of_stock';
    if (at.status !== 'available') return 'pet_not_available';
    if (at.stock < quantity) return 'out_of_stock';
    this.orders.set(this.made++, { pet: id, quantity, complete: false });
    this.settle(at, id, at.stock - quantity);
    return 201;
  }

  private changeOrder(what: 'complete' | 'undo' | 'cancel', id: number): string | number {
    const found = this.orders.get(id);
    if (!found) return 'order_not_found';
    if (found.complete) return what === 'complete' ? 200 : 'order_complete';
    if (what === 'undo') return 200;
    const at = this.pets.get(found.pet)!;
    if (what === 'complete') {
      found.complete = true;
      if (at.stock === 0n) this.settle(at, found.pet, 0n);
      return 200;
    }
    this.orders.delete(id);
    this.settle(at, found.pet, at.stock + found.quantity);
    return 204;
  }

  private setStatus(at: Pet, id: number, status: Status): string | number {
    if (at.status === 'sold' && status !== 'sold') return 'invalid_transition';
    if (status === 'sold' && this.isOpen(id)) return 'invalid_transition';
    if (status === 'available' && at.stock === 0n) return 'invalid_transition';
    at.status = status;
    if (status === 'sold') at.stock = 0n;
    return 200;
  }

  private settle(at: Pet, id: number, stock: bigint): number {
    at.stock = stock;
    at.status = stock > 0n ? 'available' : this.isOpen(id) ? 'pending' : 'sold';
    return 200;
  }

  private isOpen(id: number): boolean {
    return [...this.orders.values()].some((one) => one.pet === id && !one.complete);
  }
}

let api: Api;
let categoryId: bigint;
beforeAll(async () => {
  api = await startPetstore();
  categoryId = await makeCategory(api);
});
afterAll(() => api.close());

/** The same history over HTTP: the model's numbers stand for the ids that the service gave. */
class Real {
  pets: bigint[] = [];
  orders: bigint[] = [];

  async run(one: Step): Promise<string | number> {
    const answer = await this.send(one);
    if (answer.status === 201) this.orders.push(answer.body.id);
    return answer.status < 400 ? answer.status : answer.body.code;
  }

  private send(one: Step): Promise<Answer> {
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

test('whatever is done to pets, orders and stock, in whatever order, ends as the rules say', async () => {
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
}, 60_000);
