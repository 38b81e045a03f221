import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../base/time.ts';

/** `2026-11-21 10:00:31 UTC`. */
export function dateAndTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `10:00:31` on the day of `near`, else with its date. */
export function timeNear(time: number, near: number): string {
  const isSameDay = Math.floor(time / DAY_MS) === Math.floor(near / DAY_MS);
  return isSameDay ? new Date(time).toISOString().slice(11, 19) : dateAndTime(time);
}

/** `1 request`, `2 requests`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `250 ms`, `32 seconds`, `5 minutes`, `12 hours`: rounded to what one would say. */
export function lasting(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < 2 * MINUTE_MS && durationMs % MINUTE_MS !== 0) return unit(durationMs, SECOND_MS, 'second');
  if (durationMs < 2 * HOUR_MS && durationMs % HOUR_MS !== 0) return unit(durationMs, MINUTE_MS, 'minute');
  if (durationMs < 2 * DAY_MS) return unit(durationMs, HOUR_MS, 'hour');
  return unit(durationMs, DAY_MS, 'day');
}

function unit(durationMs: number, unitMs: number, noun: string): string {
  return counted(Math.round(durationMs / unitMs), noun);
}
