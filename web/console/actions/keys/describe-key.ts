import type { Key } from '../../api/keys.ts';
import { ownerNameOf } from '../../api/owner-name.ts';

/** Many owners have a key of the same name. */
export function describeKey(apiKey: Key): string {
  const { name } = apiKey;
  return `“${name.length <= 40 ? name : `${name.slice(0, 39)}…`}” of ${ownerNameOf(apiKey)}`;
}
