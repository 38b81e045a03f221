import { resolve } from 'node:path';

/** Where shared state lives. */
export type StoreLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'redis'; readonly url: string };

/**
 * Reads `sqlite:FILE` (under the data directory), `redis://…`, `rediss://…` or `redis-cluster://HOST:PORT,…`.
 *
 * @returns null if it is none of these
 */
export function parseStore(text: string, dataDir: string): StoreLocation | null {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(dataDir, file) };
  if (/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)) return { kind: 'redis', url: text };
  if (/^redis-cluster:\/\/[^/]/.test(text)) return { kind: 'redis', url: text };
  return null;
}
