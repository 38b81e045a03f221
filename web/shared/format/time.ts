import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';
import { lazily } from './lazily.ts';

const TIME_UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
];

const relative = lazily(() => new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'long' }));
const date = lazily(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }));
const timeOfDay = lazily(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }));
const dayOfMonth = lazily(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }));
const dayOfUtc = lazily(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);
const dayOfMonthUtc = lazily(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const dateTime = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    }),
);

/** Formats a time relative to now ("5 minutes ago", "just now", "in 3 hours"), or as a date if it is more than 30 days away. */
export function formatRelativeTime(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs;
  const size = Math.abs(distance);
  if (size > 30 * DAY_MS) return date().format(atMs);
  if (size < 10 * SECOND_MS) return distance > 0 ? 'now' : 'just now';
  const [unit, unitMs] = TIME_UNITS.find(([, each]) => size >= each) ?? ['second', SECOND_MS];
  return relative().format(Math.trunc(distance / unitMs), unit);
}

/** Formats a time in the user's time zone ("22 Nov 01:08"), with the year unless it is the current one. */
export function formatShortTime(atMs: number, nowMs: number): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return `${(isThisYear ? dayOfMonth : date)().format(atMs)} ${timeOfDay().format(atMs)}`;
}

/** Formats a day in UTC ("22 Nov 2026"). In western time zones, it begins on the evening before. */
export function formatUtcDay(at: string | number): string {
  return dayOfUtc().format(typeof at === 'number' ? at : Date.parse(at));
}

/** Formats the time of day in UTC ("10:00:31"), with the day unless it is the same as that of `near`. */
export function formatUtcTime(at: string, near: string): string {
  const time = at.slice(11, 19);
  return at.slice(0, 10) === near.slice(0, 10) ? time : `${formatUtcDay(at)} ${time}`;
}

/** Formats a time in the user's time zone, followed by UTC if that differs. */
export function formatExactTime(atMs: number): string {
  const utc = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
  if (dateTime().resolvedOptions().timeZone === 'UTC') return `${utc} UTC`;
  return `${dateTime().format(atMs)} (${utc} UTC)`;
}

/** Formats a time for the axis of a chart: the time of day, or the date at midnight. */
export function formatAxisTime(atMs: number): string {
  const at = new Date(atMs);
  return at.getHours() === 0 && at.getMinutes() === 0 ? dayOfMonth().format(at) : timeOfDay().format(at);
}

/** Formats a day in UTC for the axis of a chart. */
export function formatAxisDay(atMs: number): string {
  return dayOfMonthUtc().format(atMs);
}

/** Formats an interval of a chart ("22 Nov 14:00–15:00", "22 Nov 2026 (UTC)"). */
export function formatInterval(atMs: number, stepMs: number, nowMs: number): string {
  if (stepMs >= DAY_MS) return `${formatUtcDay(atMs)} (UTC)`;
  return `${formatShortTime(atMs, nowMs)}–${timeOfDay().format(atMs + stepMs)}`;
}

/** Formats a duration in the largest unit without a remainder ("5 minutes", "1 hour", "7 days"). */
export function formatLongDuration(ms: number): string {
  const [unit, unitMs] = TIME_UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['second', SECOND_MS];
  const count = Math.round(ms / unitMs);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Formats a duration in its two largest units ("42 s", "3 min", "1 h 5 min", "2 d 4 h"). */
export function formatShortDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
