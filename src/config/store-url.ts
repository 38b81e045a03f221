import { parseRedisUrl } from '../storage/redis/url.ts';

/** Where counters and bans are kept. A URL may hold a password: do not log it. */
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

/** What is wrong with a text that `parseStore` cannot read. Never quotes it, because it may hold a password. */
export function storeFault(text: string): string {
  // A reserved character cuts the password short, and what follows is read as a path or the like.
  const credentials = /^(?:rediss?|redis-cluster):\/\/(.*)@/s.exec(text)?.[1];
  if (credentials !== undefined && /[/?#]|%(?![0-9a-f]{2})/i.test(credentials)) {
    return 'has a user or password with reserved characters: percent-encode them (/ as %2F, ? as %3F, # as %23, % as %25)';
  }
  return 'must be embedded, redis://HOST:PORT, rediss://HOST:PORT or redis-cluster://HOST:PORT,HOST:PORT';
}
