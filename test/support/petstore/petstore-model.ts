/** A minimal reference model of the rules for pets, orders and stock. */
export class Model {
  pets = new Map<number, Pet>();
  orders = new Map<number, Order>();
  private made = 0;

  /** Runs a step and returns its error code, or the status if it succeeds. */
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
/** A step of the model. If the order of a step no longer exists, the step is skipped. */
export type Step =
  | { do: 'order'; pet: number; quantity: bigint }
  | { do: 'complete' | 'undo' | 'cancel'; order: number }
  | { do: 'stock'; pet: number; quantity: bigint }
  | { do: 'status'; pet: number; status: Status | undefined }
  | { do: 'delete'; pet: number };
