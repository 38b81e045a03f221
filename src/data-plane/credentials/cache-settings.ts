import { MINUTE_MS } from '../../base/time.ts';

export interface CredentialCacheSettings {
  readonly maxKeys: number;
  readonly maxUnknown: number;
  /** Concurrent look-ups of keys not cached here. */
  readonly maxLookUps: number;
  /** How many more may wait: in total, and per party. */
  readonly maxWaiting: number;
  readonly maxWaitingPerParty: number;
  /** How long a key is served without being read again, in case a pushed invalidation was lost. */
  readonly freshForMs: number;
  /** How long a key is served while the registry does not answer. */
  readonly keptForMs: number;
  /** How long a key is remembered as unknown. */
  readonly unknownForMs: number;
  /** Least time between tries of a registry that did not answer, on behalf of keys that are served stale meanwhile. */
  readonly probeEveryMs: number;
  /** How often last uses are sent to the registry. */
  readonly flushEveryMs: number;
  /** Monotonic, in ms. */
  readonly clock: () => number;
  /** Milliseconds since the Unix epoch. */
  readonly wallClock: () => number;
}

export const credentialCacheDefaults: CredentialCacheSettings = {
  maxKeys: 50_000,
  maxUnknown: 10_000,
  maxLookUps: 32,
  maxWaiting: 1_000,
  maxWaitingPerParty: 100,
  freshForMs: 30_000,
  keptForMs: 15 * MINUTE_MS,
  unknownForMs: 5_000,
  probeEveryMs: 1_000,
  flushEveryMs: 30_000,
  clock: () => performance.now(),
  wallClock: () => Date.now(),
};
