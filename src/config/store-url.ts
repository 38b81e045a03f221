import { parseRedisUrl } from '../redis/url.ts';

/** Where counters and bans are. A URL may hold a password: not for logs. */
export type StoreLocation = { readonly kind: 'embedded' } | { readonly kind: 'redis'; readonly url: string };

/**
 * Reads `embedded`, `redis://…`, `rediss://…` or `redis-cluster://HOST:PORT,…` (see `parseRedisUrl`).
 *
 * @returns null if it is none of these
 */
export function parseStore(text: string): StoreLocation | null {
  if (text === 'embedded') return { kind: 'embedded' };
  return parseRedisUrl(text) === null ? null : { kind: 'redis', url: text };
}
