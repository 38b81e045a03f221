import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../base/time.ts';
import type { Guides } from '../front/guides.ts';
import type { Schemas } from './portal-handlers.ts';

type CallLimits = Schemas['CallLimits'];

/** The guides of the documentation, with the limits in force instead of the defaults. */
export function guidesInForce(guides: Guides, limits: CallLimits): Guides {
  return new Map(
    [...guides].map(([name, guide]) => {
      const sections = guide.sections.map((section) => ({
        ...section,
        markdown: withLimits(section.markdown, limits),
      }));
      return [name, { ...guide, sections }];
    }),
  );
}

/** Replaces the default limits in the tables of a text with the limits in force. */
export function withLimits(markdown: string, limits: CallLimits): string {
  const texts = limitTexts(limits);
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
    .replace('| back to 1 minute |', `| back to ${time(limits.bans.lengthsSeconds[0] ?? 0)} |`);
}

/** The text of each limit, by the first cell of its row. */
export function limitTexts({ bans, connections, services, keys, history }: CallLimits): ReadonlyMap<string, string> {
  const lengths = bans.lengthsSeconds.map(time);
  const last = lengths.at(-1) ?? '';
  const further = lengths.length > 1 ? `${lengths.join(', then ')}; all further bans, ${last}` : last;
  return new Map([
    [
      'strikes that start a ban',
      `${count(bans.strikes)} within ${time(bans.withinSeconds)}, or a tenth of your per-minute limit if that is more`,
    ],
    [
      'not a strike',
      `requests within ${time(bans.graceSeconds)} of the first refusal, because they may have been in flight`,
    ],
    [
      'also not a strike',
      `a refusal after ${time(bans.patienceSeconds)} without one on your quota, and requests within ${time(bans.graceSeconds)} of it`,
    ],
    ['length of a ban', further],
    ['back to 1 minute', `${time(bans.forgiveAfterSeconds)} after the end of the last ban`],
    ['request body', range(services.maxBodyBytes, size)],
    ['request headers', size(connections.maxHeaderBytes)],
    ['time to send the headers', time(connections.headersSeconds)],
    ['time to send the whole request', time(connections.requestSeconds)],
    ['time until the service begins its response; then 504 `upstream_timeout`', range(services.responseSeconds, time)],
    ['time without data within a response', range(services.idleSeconds, time)],
    ['time your client can go without reading response data', time(connections.writeSeconds)],
    ['idle time until a connection is closed', time(connections.keepAliveSeconds)],
    ['open WebSockets per key; then 429 `too_many_connections`', count(connections.maxTunnels)],
    ['idle time until a WebSocket is closed', time(connections.tunnelIdleSeconds)],
    ['counts per minute', time(history.minutesSeconds)],
    ['counts per hour', time(history.hoursSeconds)],
    ['counts per day', time(history.daysSeconds)],
    ['keys of an account', count(keys.maxPerAccount)],
    ['new keys within 24 hours, including rotations', count(keys.newPerDay)],
    ['how long an old secret works, unless you choose', time(keys.graceSeconds)],
    [
      'how long it works if you choose _as long as it is used_',
      `until it has not been used for ${time(keys.quietSeconds)}; at most ${time(keys.maxGraceSeconds)}`,
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
function time(seconds: number): string {
  const ms = Math.round(seconds * SECOND_MS);
  const [unit, unitMs] = TIME_UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  const amount = ms / unitMs;
  return `${count(amount)} ${unit}${amount === 1 || unit === 'ms' ? '' : 's'}`;
}

/** Formats a size in bytes. "1 MB" is 1,048,576 bytes, as in the configuration. */
function size(bytes: number): string {
  const [unit, factor] = SIZES.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['bytes', 1];
  return `${count(bytes / factor)} ${unit}`;
}

const SIZES = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const;

function range(values: readonly number[], text: (value: number) => string): string {
  const [first] = values;
  if (first === undefined) return 'no limit';
  return values.length < 2 ? text(first) : `${text(first)} to ${text(values.at(-1) ?? 0)}, depending on the service`;
}

/**
 * Formats a whole number with commas. Does not use `Intl`, because its first use takes 40 ms, during which other requests
 * would wait.
 */
function count(value: number): string {
  const digits = String(value);
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}
