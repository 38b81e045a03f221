import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import { createKeyExpiringEvent } from '../registry/change-events.ts';
import { listExpiringKeys } from '../registry/key-rows.ts';
import type { Key } from '../registry/key.ts';
import { countDaysUntil, findDueNotice, type Notice, type Notices } from './notices.ts';

/**
 * Days before the expiry. They must not exceed the retention of events (`MIN_EVENTS_KEEP_MS`), or a deleted notice
 * would be published again.
 */
const NOTICE_DAYS = [7, 1];
const PAGE_SIZE = 500;

/**
 * Announces that active keys will expire. Rotated keys are left out, because their owner has the new key and chose when
 * the old key ends. But if the owner chose to wait until the old key is no longer used, its deadline is announced. A
 * notice is also left out if the key was created, or rotated in this way, after the notice was due, because whoever did
 * so knows the expiry.
 */
export async function publishKeyExpiryEvents(
  database: Database,
  notices: Notices,
  now: number,
  isStopped: () => boolean,
): Promise<void> {
  const until = now + Math.max(...NOTICE_DAYS) * DAY_MS;
  let after = { expiresAt: now, sequence: Number.MAX_SAFE_INTEGER };
  for (let hasMore = true; hasMore && !isStopped();) {
    const page = await database.read((queries) => listExpiringKeys(queries, after, until, PAGE_SIZE));
    await notices.publish(page.flatMap(({ key }) => createNotices(key, now)));
    const last = page.at(-1);
    if (last !== undefined) after = { expiresAt: last.key.expiresAt ?? now, sequence: last.sequence };
    hasMore = page.length === PAGE_SIZE;
  }
}

function createNotices(key: Key, now: number): Notice[] {
  const { id, status, rotatedTo, quietSince, expiresAt, createdAt } = key;
  // These conditions are not in the query, because SQLite would use the index on the status, and read and sort all
  // active keys.
  if (status !== 'active' || (rotatedTo !== null && quietSince === null)) return [];
  const days = expiresAt === null ? null : findDueNotice(NOTICE_DAYS, expiresAt, now);
  const decidedAt = quietSince ?? createdAt;
  if (expiresAt === null || days === null || decidedAt > expiresAt - days * DAY_MS) return [];
  const uniqueKey = `key.expiring ${id} ${expiresAt} ${days}`;
  return [{ ...createKeyExpiringEvent(key, countDaysUntil(expiresAt, now), now), uniqueKey }];
}
