import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import { keyExpiring } from '../registry/change-events.ts';
import { expiringKeys } from '../registry/key-rows.ts';
import type { Key } from '../registry/key.ts';
import { daysUntil, dueNotice, type Notice, type Notices } from './notices.ts';

/** No longer than events are kept (`MIN_EVENTS_KEEP_MS`), or a notice that was forgotten would be given again. */
const NOTICE_DAYS = [7, 1];
const PAGE = 500;

/**
 * Tells of keys that will expire: active ones, and not those that were rotated, whose owner has the new key and chose
 * the time. Nor is a notice given of a key that was made later than it would have been due: whoever made it knows.
 */
export async function publishKeyExpiryEvents(
  database: Database,
  notices: Notices,
  now: number,
  isStopped: () => boolean,
): Promise<void> {
  const until = now + Math.max(...NOTICE_DAYS) * DAY_MS;
  let after = { expiresAt: now, sequence: Number.MAX_SAFE_INTEGER };
  for (let more = true; more && !isStopped();) {
    const page = await database.read((queries) => expiringKeys(queries, after, until, PAGE));
    await notices.tell(page.flatMap(({ key }) => noticeOf(key, now)));
    const last = page.at(-1);
    if (last !== undefined) after = { expiresAt: last.key.expiresAt ?? now, sequence: last.sequence };
    more = page.length === PAGE;
  }
}

function noticeOf(key: Key, now: number): Notice[] {
  const { id, status, rotatedTo, expiresAt, createdAt } = key;
  // Not in the query: SQLite would take the index by status, and read and sort all active keys.
  if (status !== 'active' || rotatedTo !== null) return [];
  const days = expiresAt === null ? null : dueNotice(NOTICE_DAYS, expiresAt, now);
  if (expiresAt === null || days === null || createdAt > expiresAt - days * DAY_MS) return [];
  const uniqueKey = `key.expiring ${id} ${expiresAt} ${days}`;
  return [{ ...keyExpiring(key, daysUntil(expiresAt, now), now), uniqueKey }];
}
