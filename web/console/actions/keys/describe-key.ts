import type { Key } from '../../api/keys.ts';
import { ownerNameOf } from '../../api/owner-name.ts';

/** Many owners have a key with the same name. */
export function describeKey(apiKey: Key): string {
  return `“${shorten(apiKey.name)}” of ${shorten(ownerNameOf(apiKey))}`;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
