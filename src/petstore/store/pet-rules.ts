import { ApiError } from '../http/errors.ts';

export type PetStatus = 'available' | 'pending' | 'sold';

/** The facts that decide how a pet may change. `hasOpenOrders` ignores the order that is being changed. */
export interface PetState {
  id: bigint;
  status: PetStatus;
  stock: bigint;
  hasOpenOrders: boolean;
}

/** A pet's state after a change. An available pet always has stock, and a sold pet never has. */
export interface PetChange {
  status: PetStatus;
  stock: bigint;
}

/** Also the `maximum` of every quantity in the OpenAPI document. */
export const MAX_STOCK = 2_147_483_647n;

export const INITIAL_STOCK: Readonly<Record<PetStatus, bigint>> = { available: 1n, pending: 1n, sold: 0n };

type Obstacle = (pet: PetState) => string | undefined;
const noObstacle: Obstacle = () => undefined;
const requireStock: Obstacle = (pet) =>
  pet.stock > 0n ? undefined : 'has no stock and becomes available again only if it is restocked';
const requireNoOpenOrders: Obstacle = (pet) =>
  pet.hasOpenOrders ? 'has open orders, so it cannot be sold' : undefined;
const requireRestock: Obstacle = () => 'is sold and becomes available again only if it is restocked';

/** Obstacles to changing a status with a PUT of the pet, by the old and the new status. */
const OBSTACLES: Readonly<Record<PetStatus, Readonly<Record<PetStatus, Obstacle>>>> = {
  available: { available: noObstacle, pending: noObstacle, sold: requireNoOpenOrders },
  pending: { available: requireStock, pending: noObstacle, sold: requireNoOpenOrders },
  sold: { available: requireRestock, pending: requireRestock, sold: noObstacle },
};

/** Changes the status, for a PUT of the pet. Throws ApiError `invalid_transition`. */
export function setStatus(pet: PetState, nextStatus: PetStatus): PetChange {
  const obstacle = OBSTACLES[pet.status][nextStatus](pet);
  if (obstacle !== undefined) throw new ApiError('invalid_transition', `Pet ${pet.id} ${obstacle}.`);
  return { status: nextStatus, stock: nextStatus === 'sold' ? 0n : pet.stock };
}

/** Changes the stock, for a PUT of the inventory entry. */
export function restock(pet: PetState, stock: bigint): PetChange {
  return toStateWithStock(stock, pet.hasOpenOrders);
}

/** Returns the state for a stock. A pet without stock is pending while it has open orders, and then sold. */
export function toStateWithStock(stock: bigint, hasOpenOrders: boolean): PetChange {
  if (stock > 0n) return { status: 'available', stock };
  return { status: hasOpenOrders ? 'pending' : 'sold', stock };
}
