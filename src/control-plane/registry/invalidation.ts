import type { Invalidation } from '../../data-plane/boundary-types.ts';
import type { Announce } from '../../storage/database.ts';

/**
 * Maximum number of keys to announce one by one. If more keys change, all keys are announced as changed, and caches
 * read each key again when they next need it.
 */
const MAX_KEYS = 1000;
const ALL = 'all';
const KEY = 'key ';

export function announceAll(announce: Announce): void {
  announce(ALL);
}

export function announceKeys(announce: Announce, hashes: readonly string[]): void {
  if (hashes.length > MAX_KEYS) announce(ALL);
  else for (const hash of hashes) announce(KEY + hash);
}

/** The invalidation in a database message; undefined if the message is not about keys or plans. */
export function parseInvalidation(message: string | null): Invalidation | undefined {
  if (message === null || message === ALL) return { kind: 'all' };
  return message.startsWith(KEY) ? { kind: 'key', hash: message.slice(KEY.length) } : undefined;
}
