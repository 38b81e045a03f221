import type { Key } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';

/** Includes the owner, because many owners have a key with the same name. */
export function describeKey(apiKey: Key): string {
  return `“${shorten(apiKey.name)}” of ${shorten(findOwnerName(apiKey))}`;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
