import { lazily } from './lazily.ts';

const whole = lazily(() => new Intl.NumberFormat('en', { maximumFractionDigits: 0 }));
const compact = lazily(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const percent = lazily(() => new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 1 }));

/**
 * Formats a whole number ("12,345"). The formatter takes tens of milliseconds to create, so numbers without a comma do
 * not use it.
 */
export function formatCount(value: number): string {
  return Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : whole().format(value);
}

/** Formats a large number in short ("12.3K"), for axes and figures. */
export function formatShortCount(value: number): string {
  return value < 10_000 ? formatCount(value) : compact().format(value);
}

/**
 * Formats a share in percent ("12.3%"), or a dash if the total is 0. Rounding never makes a share 0% or 100% unless it
 * is exactly that.
 */
export function formatShare(part: number, of: number): string {
  if (of === 0) return '–';
  if (part === 0) return '0%';
  if (part === of) return '100%';
  if (part / of < 0.0005) return '<0.1%';
  return part / of >= 0.9995 ? '>99.9%' : percent().format(part / of);
}

/** Formats a number with its noun ("1 key", "2 keys"). */
export function pluralize(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** Formats a duration ("8.4 ms", "120 ms", "1.3 s", "5.0 s"). */
export function formatMilliseconds(ms: number): string {
  return ms >= 1000 ? `${formatShortNumber(ms / 1000)} s` : `${formatShortNumber(ms)} ms`;
}

/** Formats numbers below 10 with one decimal, so that the numbers of a column align. */
function formatShortNumber(value: number): string {
  return value === 0 ? '0' : value.toFixed(value < 9.95 ? 1 : 0);
}

/** Formats a size ("812 B", "12.3 kB", "1.2 MB"). */
export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
