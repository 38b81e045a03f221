import { StoreUnavailable } from '../../base/error-types.ts';
import { DAY_MS, toDateTime } from '../../base/time.ts';
import type { HistoryStore } from '../history/store/history-store.ts';
import type { Key, RotateOptions } from '../registry/key.ts';
import { invalidField } from './refused.ts';

/** Default grace period of a replaced key. */
export const DEFAULT_GRACE_SECONDS = 86_400;

/** The grace period of a replaced key, as requests of both APIs have it. */
interface GraceBody {
  readonly graceSeconds?: number;
  readonly graceUntil?: 'quiet';
}

/**
 * @param now ms since the Unix epoch
 * @param maxGraceMs `rotation.maxGrace`
 * @throws Refused `validation_failed`
 */
export function readGrace({ graceSeconds, graceUntil }: GraceBody, now: number, maxGraceMs: number): RotateOptions {
  if (graceUntil === undefined) return { oldExpiresAt: now + (graceSeconds ?? DEFAULT_GRACE_SECONDS) * 1000 };
  if (graceSeconds !== undefined) throw invalidField('/graceUntil', 'cannot be combined with graceSeconds');
  return { oldExpiresAt: now + maxGraceMs, untilQuiet: true };
}

interface GraceJson {
  readonly until: 'quiet';
  readonly since: string;
  readonly lastUsedFrom: string | null;
}

export function toGraceJson({ quietSince, lastUsedFrom }: Pick<Key, 'quietSince' | 'lastUsedFrom'>): GraceJson | null {
  return quietSince === null ? null : { until: 'quiet', since: toDateTime(quietSince), lastUsedFrom };
}

/** The grace period with the number of calls in the last 24 hours, which is null if the history is unavailable. */
export async function loadGraceJson(key: Key, history: HistoryStore, now: number) {
  const grace = toGraceJson(key);
  return grace === null ? null : { ...grace, callsLastDay: await countCallsLastDay(key.id, history, now) };
}

async function countCallsLastDay(key: string, history: HistoryStore, now: number): Promise<number | null> {
  const period = { from: now - DAY_MS, to: now, every: 'hour' } as const;
  try {
    const { series } = await history.usage({ key, ...period, limit: 1, totalsOnly: true, now });
    return series[0]?.totals.requests ?? 0;
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
