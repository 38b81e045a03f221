/** What can go wrong with what keeps counters, keys and plans; those after `registry` are of a shared store. */
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

export type StoreFailure = (typeof storeFailures)[number];

/** What a store that can fail tells of itself. */
export interface StoreMetrics {
  /** Something it was asked was not done. */
  error(kind: StoreFailure): void;
  /** How long one command to a shared store took, answered or not, in seconds. */
  latency(seconds: number): void;
  /** A circuit breaker has opened, or closed; told once for each change. Where there are several, they are counted. */
  breaker(state: 'open' | 'closed'): void;
}

export const noStoreMetrics: StoreMetrics = { error() {}, latency() {}, breaker() {} };
