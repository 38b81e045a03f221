import type { Invalidation } from '../../data-plane/boundary-types.ts';
import type { Announce } from '../../storage/database.ts';

/**
 * Maximum number of keys to announce one by one. If more keys change, all keys are announced as changed, and caches
 * read each key again when they next need it.
 */
const MAX_KEYS = 1000;
const ALL_MESSAGE = 'all';
const KEY_MESSAGE_PREFIX = 'key ';

export function announceAll(announce: Announce): void {
  announce(ALL_MESSAGE);
}

export function announceKeys(announce: Announce, hashes: readonly string[]): void {
  if (hashes.length > MAX_KEYS) announce(ALL_MESSAGE);
  else for (const hash of hashes) announce(KEY_MESSAGE_PREFIX + hash);
}

/** The invalidation in a database message; undefined if the message is not about keys or plans. */
export function parseInvalidation(message: string | null): Invalidation | undefined {
  if (message === null || message === ALL_MESSAGE) return { kind: 'all' };
  return message.startsWith(KEY_MESSAGE_PREFIX)
    ? { kind: 'key', hash: message.slice(KEY_MESSAGE_PREFIX.length) }
    : undefined;
}
