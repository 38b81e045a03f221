import type { Key, KeyFilter, KeyStatus } from './registry.ts';

export type RedisNames = ReturnType<typeof redisNames>;

/**
 * What the registry of an installation calls its keys. One hash tag for all of them, so that a Redis Cluster keeps them
 * on one node, where a script changes them together.
 *
 * @param prefix the installation's own; must not contain braces
 */
export function redisNames(prefix: string) {
  const base = `${prefix}:{registry}`;
  const index = (status: KeyStatus, { plan, owner }: Pick<KeyFilter, 'plan' | 'owner'>) =>
    `${base}:keys:${status}:${wanted(plan)}:${wanted(owner)}`;
  return {
    /** Number of the latest change: the last sequence of the audit log, and so the highest revision. */
    sequence: `${base}:sequence`,
    /** Number of the latest announcement. */
    changes: `${base}:changes`,
    /** Where changes are announced (publish/subscribe). */
    channel: `${base}:changes`,
    /** Hash: id → record. */
    plans: `${base}:plans`,
    /** Hash: key id → hash of its secret. */
    ids: `${base}:ids`,
    /** Exists once somebody has claimed to seed the registry. */
    seeded: `${base}:seeded`,
    /** String: the record of a key, under the hash of its secret, so that the request path needs one GET. */
    record: (hash: string) => `${base}:key:${hash}`,
    /** Sorted set: hashes of keys by position, which rises in the order of their creation. */
    index,
    /** Every filter that names a status has an index of its own; one that names none reads three of them. */
    indexesOf: ({ status, plan, owner }: Pick<Key, 'status' | 'plan' | 'owner'>) =>
      [{}, { plan }, { owner }, { plan, owner }].map((of) => index(status, of)),
    /** Lots of keys that are written but not there yet: see `redis-pending.ts`. */
    pending: `${base}:pending`,
    /** Stream: entry ids are `<sequence>-0`. */
    audit: `${base}:audit`,
    /** Stream: entry ids are `<time>-<sequence>`, where time never falls. */
    auditTimes: `${base}:audit:times`,
    /** The most that an entry's time was behind that of one before it, ms. */
    auditSkew: `${base}:audit:skew`,
    /** Streams: entry ids as those of the audit log. */
    auditOfActor: (actor: string) => `${base}:audit:actor:${actor}`,
    auditOfAction: (action: string) => `${base}:audit:action:${action}`,
    /** Sorted set: sequences by themselves; smaller than a stream where a subject has few entries. */
    auditOfSubject: (subject: string) => `${base}:audit:subject:${subject}`,
  };
}

/** Two filters never share a name, whatever they ask for. */
function wanted(value: string | undefined): string {
  return value === undefined ? '*' : `=${value.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}
