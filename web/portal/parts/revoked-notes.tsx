import { TriangleAlert } from 'lucide-react';
import { DAY_MS } from '../../shared/format/durations.ts';
import { Time } from '../../shared/ui/data/time.tsx';
import { Note } from '../../shared/ui/page/states.tsx';
import type { Key } from '../api/keys.ts';

/** Notes are shown for this long, so that users who rarely visit see them, too. */
const SHOWN_MS = 30 * DAY_MS;

/** Warns of keys that were revoked with their own secret. Unless the user did that, the secret has leaked. */
export function RevokedNotes({ keys }: { readonly keys: readonly Key[] }) {
  return keys.map(({ id, name, prefix, lastFour, revokedByHolder }) => {
    if (revokedByHolder === undefined) return null;
    const { at, reason } = revokedByHolder;
    if (Date.now() - Date.parse(at) > SHOWN_MS) return null;
    return (
      <Note key={id} tone="refused" icon={TriangleAlert}>
        <strong>
          The key <bdi>{name}</bdi> (
          <code>
            {prefix}…{lastFour}
          </code>
          ) was revoked <Time at={at} /> by someone who had the secret.
        </strong>{' '}
        {reason !== null && (
          <>
            Reason given: “<bdi>{reason}</bdi>”.{' '}
          </>
        )}
        If that was not you, the key has leaked. Find out where, then create a new key.
      </Note>
    );
  });
}
