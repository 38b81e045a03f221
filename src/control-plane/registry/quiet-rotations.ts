import { DAY_MS, HOUR_MS, MINUTE_MS, toDateTime } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import { endIfQuiet, type QuietEnd } from './key-changes.ts';
import { keysToBeQuiet } from './key-rows.ts';
import type { Key } from './key.ts';
import { recordedUses, type RecordedUses } from './use-reports.ts';
import { makeChange } from './write-context.ts';

/** Rotations that end the old key once it is no longer used: `graceUntil: "quiet"` of the APIs. */

export interface QuietRule {
  /** `rotation.quietFor`, in ms. */
  readonly quietForMs: number;
  /** `registry.staleFor`, in ms. */
  readonly staleForMs: number;
}

const PAGE = 100;

/**
 * Ends the replaced keys that are no longer used, or have reached their deadline. The first gateway does it for all.
 *
 * @returns how many have ended
 */
export async function endQuietRotations(
  database: Database,
  rule: QuietRule,
  now: number,
  isStopped: () => boolean,
): Promise<number> {
  const change = { actor: 'system', reason: null, at: now };
  let ended = 0;
  let after = 0;
  for (let more = true; more && !isStopped();) {
    const page = await database.read((queries) => keysToBeQuiet(queries, after, PAGE));
    for (const { key } of page) {
      if (isStopped() || !mayEnd(key, rule, now)) continue;
      const end = await makeChange(database, change, (context) =>
        endIfQuiet(context, key.id, async (current, successors, tx) => {
          const options = { staleForMs: rule.staleForMs, clockNow: now };
          const recorded = await recordedUses(tx, database.dialect, key.id, options);
          return quietEnd(current, successors, recorded, rule, now);
        }),
      );
      if (end) ended += 1;
    }
    after = page.at(-1)?.sequence ?? after;
    more = page.length === PAGE;
  }
  return ended;
}

/** Whether it is worth a closer look. */
function mayEnd(key: Key, { quietForMs }: QuietRule, now: number): boolean {
  return hasExpired(key, now) || usedUntil(key) + quietForMs <= now;
}

/** The rule. @param successors the keys that replaced it, and those that replaced them */
function quietEnd(
  key: Key,
  successors: readonly Key[],
  { until, missingUntil }: RecordedUses,
  { quietForMs }: QuietRule,
  now: number,
): QuietEnd | null {
  if (hasExpired(key, now)) return { cause: 'latest_end', reason: 'the deadline of the rotation has passed' };
  // It cannot be used while it is disabled, which says nothing about its callers.
  if (key.status !== 'active' || until === null) return null;
  if (successors.every(({ lastUsedAt }) => lastUsedAt === null)) return null;
  if (Math.max(usedUntil(key), missingUntil ?? 0) + quietForMs > Math.min(until, now)) return null;
  const since = key.lastUsedAt === null ? 'never used' : `last used at ${toDateTime(key.lastUsedAt)}`;
  return { cause: 'quiet', reason: `not used for ${inWords(quietForMs)} after its rotation: ${since}` };
}

function hasExpired({ expiresAt }: Key, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Last uses are accurate to the minute. What happened before the rotation says nothing about who still has to switch. */
function usedUntil({ quietSince, lastUsedAt }: Key): number {
  return Math.max(quietSince ?? 0, lastUsedAt === null ? 0 : lastUsedAt + MINUTE_MS);
}

function inWords(ms: number): string {
  return ms % DAY_MS === 0 ? `${ms / DAY_MS} days` : `${Math.round(ms / HOUR_MS)} hours`;
}
