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
