import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../base/time.ts';
import type { Guides } from '../front/guides.ts';
import type { Schemas } from './portal-handlers.ts';

type CallLimits = Schemas['CallLimits'];

/** The guides of the documentation, with the limits in force instead of the defaults. */
export function fillInLimits(guides: Guides, limits: CallLimits): Guides {
  return new Map(
    [...guides].map(([name, guide]) => {
      const sections = guide.sections.map((section) => ({
        ...section,
        markdown: replaceLimits(section.markdown, limits),
      }));
      return [name, { ...guide, sections }];
    }),
  );
}

/** Replaces the default limits in the tables of a Markdown page with the limits in force. */
export function replaceLimits(markdown: string, limits: CallLimits): string {
  const texts = formatLimits(limits);
  return markdown
    .replaceAll(/^\|([^|\n]+)\|[^|\n]+\|$/gm, (row: string, name: string) => {
      const text = texts.get(name.trim());
      return text === undefined ? row : `| ${name.trim()} | ${text} |`;
    })
    .replaceAll(/^\| (rule|limit) +\| default +\|$/gm, '| $1 | in force |')
    .replace(
      'These are the defaults. Your operator may have changed them, for all services or for some.',
      'These limits are in force. An operation may have limits of its own.',
    )
    .replaceAll(/\sThese are the defaults\. Your operator may have changed them\./g, '')
    .replace(
      '| bans begin again at 1 minute |',
      `| bans begin again at ${formatTime(limits.bans.lengthsSeconds[0] ?? 0)} |`,
    );
}

/** The text of each limit, by the first cell of its row. */
export function formatLimits({ bans, connections, services, keys, history }: CallLimits): ReadonlyMap<string, string> {
  const lengths = bans.lengthsSeconds.map(formatTime);
  const lastLength = lengths.at(-1) ?? '';
  const banLengths = lengths.length > 1 ? `${lengths.join(', then ')}; all further bans, ${lastLength}` : lastLength;
  return new Map([
    [
      'strikes that start a ban',
      `${formatCount(bans.strikes)} within ${formatTime(bans.withinSeconds)}, or a tenth of your per-minute limit if that is more`,
    ],
    [
      'not a strike',
      `requests within ${formatTime(bans.graceSeconds)} of the first refusal, because they may have been in flight`,
    ],
    [
      'also not a strike',
      `the first refusal after ${formatTime(bans.patienceSeconds)} without any on your quota, and requests within ${formatTime(bans.graceSeconds)} of it`,
    ],
    ['length of a ban', banLengths],
    ['bans begin again at 1 minute', `${formatTime(bans.forgiveAfterSeconds)} after the end of the last ban`],
    ['request body', formatRange(services.maxBodyBytes, formatSize)],
    ['request headers', formatSize(connections.maxHeaderBytes)],
    ['time to send the headers', formatTime(connections.headersSeconds)],
    ['time to send the whole request', formatTime(connections.requestSeconds)],
    [
      'time until the service begins its response; then 504 `upstream_timeout`',
      formatRange(services.responseSeconds, formatTime),
    ],
    ['time without data within a response', formatRange(services.idleSeconds, formatTime)],
    ['time your client can go without reading response data', formatTime(connections.writeSeconds)],
    ['idle time until a connection is closed', formatTime(connections.keepAliveSeconds)],
    ['open WebSockets per key; then 429 `too_many_connections`', formatCount(connections.maxTunnels)],
    ['idle time until a WebSocket is closed', formatTime(connections.tunnelIdleSeconds)],
    ['counts per minute', formatTime(history.minutesSeconds)],
    ['counts per hour', formatTime(history.hoursSeconds)],
    ['counts per day', formatTime(history.daysSeconds)],
    ['keys of an account', formatCount(keys.maxPerAccount)],
    ['new keys within 24 hours, including rotations', formatCount(keys.newPerDay)],
    ['how long an old secret works, unless you choose', formatTime(keys.graceSeconds)],
    [
      'how long it works if you choose _as long as it is used_',
      `until it has not been used for ${formatTime(keys.quietSeconds)}; at most ${formatTime(keys.maxGraceSeconds)}`,
    ],
  ]);
}

const TIME_UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** Formats a time exactly, in the largest unit that gives a whole number: "5 minutes", "1 hour", "500 ms". */
function formatTime(seconds: number): string {
  const ms = Math.round(seconds * SECOND_MS);
  const [unit, unitMs] = TIME_UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  const amount = ms / unitMs;
  return `${formatCount(amount)} ${unit}${amount === 1 || unit === 'ms' ? '' : 's'}`;
}

/** Formats a size in bytes. "1 MB" is 1,048,576 bytes, as in the configuration. */
function formatSize(bytes: number): string {
  const [unit, factor] = SIZES.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['bytes', 1];
  return `${formatCount(bytes / factor)} ${unit}`;
}

const SIZES = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const;

function formatRange(values: readonly number[], format: (value: number) => string): string {
  const [first] = values;
  if (first === undefined) return 'no limit';
  return values.length < 2
    ? format(first)
    : `${format(first)} to ${format(values.at(-1) ?? 0)}, depending on the service`;
}

/**
 * Formats a whole number with commas. Does not use `Intl`, because its first use takes 40 ms, during which other requests
 * would wait.
 */
function formatCount(value: number): string {
  const digits = String(value);
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}
