import { lazily } from './lazily.ts';

const whole = lazily(() => new Intl.NumberFormat('en', { maximumFractionDigits: 0 }));
const compact = lazily(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const percent = lazily(() => new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }));

/** "12,345". */
export function count(value: number): string {
  return whole().format(value);
}

/** "12.3K", for axes and figures. */
export function shortCount(value: number): string {
  return value < 10_000 ? whole().format(value) : compact().format(value);
}

/** "12.3%"; of nothing, a dash. */
export function share(part: number, of: number): string {
  return of === 0 ? '–' : percent().format(part / of);
}

/** "1 key", "2 keys". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** "8.4 ms", "120 ms", "1.3 s", "5 s". */
export function milliseconds(ms: number): string {
  return ms >= 1000 ? `${shortNumber(ms / 1000)} s` : `${shortNumber(ms)} ms`;
}

/** With one decimal below 10, unless it is 0. */
function shortNumber(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

/** "812 B", "12.3 kB", "1.2 MB". */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
