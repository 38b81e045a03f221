/**
 * A store or database could not answer (in time). For a store of counters: nothing was charged, and nothing will be.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
