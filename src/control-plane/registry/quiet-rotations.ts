import { DAY_MS, HOUR_MS, MINUTE_MS, toDateTime } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import { endIfQuiet, type QuietEnd } from './key-changes.ts';
import { listKeysAwaitingSilence } from './key-rows.ts';
import type { Key } from './key.ts';
import { findRecordedUses, type RecordedUses } from './use-reports.ts';
import { makeChange } from './write-context.ts';

/** Rotations that end the old key as soon as it is no longer used: `graceUntil: "quiet"` in the APIs. */

export interface QuietRule {
  /** `rotation.quietFor`, in ms. */
  readonly quietForMs: number;
  /** `registry.staleFor`, in ms. */
  readonly staleForMs: number;
}

const PAGE_SIZE = 100;

/**
 * Ends the replaced keys that are no longer used, or that have reached their deadline. Every gateway runs this, and the
 * first one does the work for all.
 *
 * @returns the number of keys that this call has ended
 */
export async function endQuietRotations(
  database: Database,
  rule: QuietRule,
  now: number,
  isStopped: () => boolean,
): Promise<number> {
  const change = { actor: 'system', reason: null, at: now };
  let endedCount = 0;
  let after = 0;
  for (let hasMore = true; hasMore && !isStopped();) {
    const page = await database.read((queries) => listKeysAwaitingSilence(queries, after, PAGE_SIZE));
    for (const { key } of page) {
      if (isStopped() || !canEnd(key, rule, now)) continue;
      const hasEnded = await makeChange(database, change, (context) =>
        endIfQuiet(context, key.id, async (current, successors, tx) => {
          const options = { staleForMs: rule.staleForMs, clockNow: now };
          const uses = await findRecordedUses(tx, database.dialect, key.id, options);
          return findQuietEnd(current, successors, uses, rule, now);
        }),
      );
      if (hasEnded) endedCount += 1;
    }
    after = page.at(-1)?.sequence ?? after;
    hasMore = page.length === PAGE_SIZE;
  }
  return endedCount;
}

/** Whether the key might end now, by a cheap check that needs no transaction. */
function canEnd(key: Key, { quietForMs }: QuietRule, now: number): boolean {
  return hasExpired(key, now) || findLastUseEnd(key) + quietForMs <= now;
}

/** Decides whether a key ends now, and why. @param successors all newer keys of its rotation chain */
function findQuietEnd(
  key: Key,
  successors: readonly Key[],
  { until, missingUntil }: RecordedUses,
  { quietForMs }: QuietRule,
  now: number,
): QuietEnd | null {
  if (hasExpired(key, now)) return { cause: 'latest_end', reason: 'the deadline of the rotation has passed' };
  // A disabled key cannot be used, so its last use does not show whether its callers have switched.
  if (key.status !== 'active' || until === null) return null;
  if (successors.every(({ lastUsedAt }) => lastUsedAt === null)) return null;
  if (Math.max(findLastUseEnd(key), missingUntil ?? 0) + quietForMs > Math.min(until, now)) return null;
  const lastUse = key.lastUsedAt === null ? 'never used' : `last used at ${toDateTime(key.lastUsedAt)}`;
  return { cause: 'quiet', reason: `not used for ${formatPeriod(quietForMs)} after its rotation: ${lastUse}` };
}

function hasExpired({ expiresAt }: Key, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * The end of the last use since the rotation. Last uses are accurate only to the minute, so a minute is added. Earlier
 * uses do not show who still has to switch, so the result is never before the rotation.
 */
function findLastUseEnd({ quietSince, lastUsedAt }: Key): number {
  return Math.max(quietSince ?? 0, lastUsedAt === null ? 0 : lastUsedAt + MINUTE_MS);
}

function formatPeriod(ms: number): string {
  return ms % DAY_MS === 0 ? `${ms / DAY_MS} days` : `${Math.round(ms / HOUR_MS)} hours`;
}
