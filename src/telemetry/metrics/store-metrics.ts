/**
 * The ways in which the stores of counters, keys and plans can fail. Those after `registry` occur only with a shared
 * store.
 */
export const storeFailures = [
  'write',
  'registry',
  'timeout',
  'unreachable',
  'refused',
  'read_only',
  'out_of_memory',
  'not_ready',
  'not_persisting',
  'bad_data',
  'other',
] as const;

type StoreFailure = (typeof storeFailures)[number];

/** Counters of a store that can fail. */
export interface StoreMetrics {
  /** The store failed to do something. */
  error(kind: StoreFailure): void;
  /** Duration of one command to a shared store, with or without a response, in seconds. */
  latency(seconds: number): void;
  /**
   * A circuit breaker has opened or closed. Called once per change. If there are several circuit breakers, open ones
   * are counted.
   */
  breaker(state: 'open' | 'closed'): void;
}

export const noStoreMetrics: StoreMetrics = { error() {}, latency() {}, breaker() {} };
