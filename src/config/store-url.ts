import { resolve } from 'node:path';
import { parseRedisUrl } from '../redis/url.ts';

/** Where shared state lives. */
export type StoreLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'redis'; readonly url: string };

/**
 * Reads `sqlite:FILE` (under the data directory), `redis://…`, `rediss://…` or `redis-cluster://HOST:PORT,…` (see `parseRedisUrl`).
 *
 * @returns null if it is none of these
 */
export function parseStore(text: string, dataDir: string): StoreLocation | null {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(dataDir, file) };
  return parseRedisUrl(text) === null ? null : { kind: 'redis', url: text };
}

/** What is wrong with a text that `parseStore` cannot read. Never quotes it: there may be a password in it. */
export function storeFault(text: string): string {
  // A password is cut short by a reserved character in it, and what follows is taken for a path or the like.
  const credentials = /^(?:rediss?|redis-cluster):\/\/(.*)@/s.exec(text)?.[1];
  if (credentials !== undefined && /[/?#]|%(?![0-9a-f]{2})/i.test(credentials)) {
    return 'has a user or password with reserved characters: percent-encode them (/ as %2F, ? as %3F, # as %23, % as %25)';
  }
  return 'must be sqlite:FILE, redis://HOST:PORT, rediss://HOST:PORT or redis-cluster://HOST:PORT,HOST:PORT';
}
