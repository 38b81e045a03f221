import { createTable } from '../../../shared/format/table-of.ts';

const MEANINGS = createTable<(value: string) => string>({
  'x-ratelimit-limit': () => 'The limit of the window with the fewest units left.',
  'x-ratelimit-remaining': () => 'Units left in that window.',
  'x-ratelimit-reset': (value) => `When that window ends: ${formatTime(value)}.`,
  'x-ratelimit-degraded': () =>
    'The gateway lost contact with its shared counters: the figures count only the calls that it has seen since then.',
  ratelimit: () => 'For each window: what is left (r), and the seconds until it resets (t).',
  'ratelimit-policy': () => 'For each window: its limit (q) and its length in seconds (w).',
  'retry-after': (value) => `Wait ${value} seconds before the next call.`,
  'x-should-retry': () => 'Do not retry, or at least not within the next minute.',
  'x-request-id': () => 'Identifies this call, for instance to look up a refusal.',
  deprecation: (value) => `The operation has been deprecated since ${formatTime(value.replace(/^@/, ''))}.`,
  sunset: () => 'When the operation will be removed.',
});

/** Explains a header that the gateway sets. Null for any other header. */
export function explainHeader(name: string, value: string): string | null {
  return MEANINGS.get(name)?.(value) ?? null;
}

/**
 * Formats the time of a header.
 *
 * @param seconds since the Unix epoch
 */
function formatTime(seconds: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime())
    ? seconds
    : date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, ' UTC');
}
