import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time.ts';

/** How long after a failed attempt the next attempt is due, in ms. The first delay follows the first failure. */
export const RETRY_DELAYS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Each delay is shortened or lengthened by up to this fraction, so that deliveries that failed together are not retried
 * together.
 */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

export interface Schedule {
  /** In ms, as `RETRY_DELAYS`. */
  readonly delays: readonly number[];
  /** 0 to 1, as `Math.random`. */
  readonly random: () => number;
}

export const defaultSchedule: Schedule = { delays: RETRY_DELAYS, random: Math.random };

/**
 * @param attempts number of failed attempts, at least 1
 * @param retryAfter the minimum wait that the response requested, in ms
 * @returns ms until the next attempt; null: there are no more attempts
 */
export function computeNextDelay(
  { delays, random }: Schedule,
  attempts: number,
  retryAfter: number | null,
): number | null {
  const delay = delays[attempts - 1];
  if (delay === undefined) return null;
  const jitteredDelay = delay * (1 - JITTER + 2 * JITTER * random());
  return Math.round(Math.max(jitteredDelay, retryAfter ?? 0));
}

/**
 * How long `Retry-After` (RFC 9110, 10.2.3) asks to wait, at most a day.
 *
 * @param now ms since the Unix epoch
 * @returns ms; null if the header is missing or invalid
 */
export function parseRetryAfter(value: string | readonly string[] | undefined, now: number): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const waitMs = /^\d{1,10}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  return Number.isNaN(waitMs) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, waitMs));
}
