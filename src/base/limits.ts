/** Requests (or cost units) per window: positive safe integers, minute <= day. */
export interface Limits {
  readonly minute: number;
  readonly day: number;
}

/** `shadow` reports what `enforce` would have done but lets the request through. */
export type Mode = 'enforce' | 'shadow';

/** How a gateway treats the keys of a plan while the shared store does not answer. */
export type OnStoreFailure = 'local' | 'open' | 'closed';
