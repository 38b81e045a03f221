import { ApiError } from './http/errors.ts';
import { MAX_STOCK, withStock, type PetChange, type PetState } from './pet-rules.ts';
import type { OrderRow } from './store/order-rows.ts';

/** An order is open until it is completed or cancelled. Throws ApiError `order_complete`: that cannot be undone. */
export function checkOpen({ id, complete }: OrderRow): void {
  if (complete) throw new ApiError('order_complete', `Order ${id} is complete, which cannot be undone.`);
}

/** A new order takes its quantity. Throws ApiError `out_of_stock` or `pet_not_available`. */
export function placeOrder(pet: PetState, quantity: bigint): PetChange {
  if (pet.stock === 0n || (pet.status === 'available' && pet.stock < quantity)) {
    throw new ApiError('out_of_stock', `Pet ${pet.id} has a stock of ${pet.stock}; ${quantity} ordered.`);
  }
  if (pet.status !== 'available') {
    throw new ApiError('pet_not_available', `Pet ${pet.id} is ${pet.status}, so it cannot be ordered.`);
  }
  return withStock(pet.stock - quantity, true);
}

/** An open order was completed. Remaining stock, and a pet put on hold, stay as they are. */
export function completeOrder(pet: PetState): PetChange {
  return pet.stock === 0n ? withStock(0n, pet.openOrders) : { status: pet.status, stock: pet.stock };
}

/** A cancelled order gives its quantity back. */
export function cancelOrder(pet: PetState, quantity: bigint): PetChange {
  const stock = pet.stock + quantity;
  return withStock(stock > MAX_STOCK ? MAX_STOCK : stock, pet.openOrders);
}
