/** Formats the changes of a document, with the callers that they concern. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts';
import { toPrintable, pluralize } from '../base/text.ts';
import type { ComparisonResponse } from './admin-api-types.ts';

type Change = ComparisonResponse['changes'][number];

export function formatChangesText(comparison: ComparisonResponse, days: number, now: number): string {
  const { changes, overlay } = comparison;
  const lines = changes.map((change) => {
    const callers = formatCallers(change, now);
    return `${change.severity.padEnd(11)}${toPrintable(change.message)}${callers === '' ? '' : `\n           ${callers}`}`;
  });
  const advice = overlay === null ? '' : `\n${OVERLAY_ADVICE}:\n\n${overlay}`;
  return `${lines.map((line) => `${line}\n`).join('')}${changes.length > 0 ? '\n' : ''}${summarize(comparison, days)}\n${advice}`;
}

const OVERLAY_ADVICE =
  'To announce the removal first, leave the document as it is, save this as a file, and name the file in overlays of the upstream';

/** For a comment on a pull request. */
export function formatChangesMarkdown(comparison: ComparisonResponse, days: number, now: number): string {
  const { upstream, changes, overlay } = comparison;
  const rows = changes.map((change) => {
    return `| ${change.severity} | ${escapeMarkdown(change.message)} | ${escapeMarkdown(formatCallers(change, now))} |`;
  });
  const table = rows.length === 0 ? [] : ['| | Change | Callers |', '| --- | --- | --- |', ...rows, ''];
  const advice = overlay === null ? [] : [`${OVERLAY_ADVICE}:`, '', '```yaml', overlay.trimEnd(), '```', ''];
  return [
    `### Changes to ${escapeMarkdown(upstream)}`,
    '',
    escapeMarkdown(summarize(comparison, days)),
    '',
    ...table,
    ...advice,
  ].join('\n');
}

function summarize({ summary }: ComparisonResponse, days: number): string {
  const { breaking, warning, compatible, called, keys, owners, incomplete } = summary;
  const period = days === 1 ? 'the last day' : `the last ${days} days`;
  const counts = [
    pluralize(breaking, 'breaking change'),
    pluralize(warning, 'warning'),
    pluralize(compatible, 'compatible change'),
  ].join(', ');
  const whom =
    breaking === 0
      ? ''
      : called === 0
        ? ` No affected operation was called in ${period}.`
        : ` ${pluralize(called, 'breaking change')} would affect ${pluralize(keys, 'key')} of ${pluralize(owners, 'owner')} that called in ${period}.`;
  return `${counts}.${whom}${incomplete === null ? '' : ` Not complete: ${toPrintable(incomplete)}.`}`;
}

/** Empty for a change that concerns no caller. */
export function formatCallers(
  { severity, callers: { keys, owners, requests, lastAt } }: Pick<Change, 'callers' | 'severity'>,
  now: number,
): string {
  if (severity === 'compatible') return '';
  if (keys === 0) return requests === 0 ? 'not called' : `${pluralize(requests, 'request')} without a key`;
  const last = lastAt === null ? '' : `, last call ${formatAgo(now - Date.parse(lastAt))}`;
  return `called by ${pluralize(keys, 'key')} of ${pluralize(owners, 'owner')}${last}`;
}

function formatAgo(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute ago';
  if (ms < HOUR_MS) return `${pluralize(Math.floor(ms / MINUTE_MS), 'minute')} ago`;
  if (ms < DAY_MS) return `${pluralize(Math.floor(ms / HOUR_MS), 'hour')} ago`;
  return `${pluralize(Math.floor(ms / DAY_MS), 'day')} ago`;
}

/** Names in documents must not become links, mentions, HTML or columns. */
function escapeMarkdown(text: string): string {
  return toPrintable(text).replace(/[\\`*_{}[\]<>|#@!~&]/g, String.raw`\$&`);
}
