/** All times in milliseconds. */
export interface CredentialCacheSettings {
  readonly maxKeys: number;
  readonly maxUnknown: number;
  /** How many look-ups of keys that are not known here run at once. */
  readonly maxLookUps: number;
  /** How many of them wait, in all and of one address. */
  readonly maxWaiting: number;
  readonly maxWaitingPerParty: number;
  /** How long a key serves without being read again, if a pushed invalidation was lost. */
  readonly freshFor: number;
  /** How long a key serves while the registry does not answer. */
  readonly keptFor: number;
  readonly unknownFor: number;
  /** How often, at most, a registry that did not answer is tried on behalf of keys that are served meanwhile. */
  readonly probeEvery: number;
  readonly flushEvery: number;
  /** Monotonic. */
  readonly clock: () => number;
  /** Since the Unix epoch. */
  readonly wallClock: () => number;
}

export const credentialCacheDefaults: CredentialCacheSettings = {
  maxKeys: 50_000,
  maxUnknown: 10_000,
  maxLookUps: 32,
  maxWaiting: 1_000,
  maxWaitingPerParty: 100,
  freshFor: 30_000,
  keptFor: 15 * 60_000,
  unknownFor: 5_000,
  probeEvery: 1_000,
  flushEvery: 30_000,
  clock: () => performance.now(),
  wallClock: () => Date.now(),
};
