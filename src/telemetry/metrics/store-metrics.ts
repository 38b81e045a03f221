/**
 * The kinds of failures of the stores of counters, keys and plans. The kinds after `registry` occur only with a shared
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

/** Metrics that a store reports. */
export interface StoreMetrics {
  /** Counts a failed operation. */
  error(kind: StoreFailure): void;
  /** Records the duration of a command to a shared store in seconds, even if there was no response. */
  latency(seconds: number): void;
  /** Counts the open circuit breakers. Called once when a breaker opens, and once when it closes. */
  breaker(state: 'open' | 'closed'): void;
}

export const noStoreMetrics: StoreMetrics = { error() {}, latency() {}, breaker() {} };
