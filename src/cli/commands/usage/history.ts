import { InvalidArgumentError, Option, type Command } from 'commander';
import { isDateTime, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts';
import { connect } from '../../admin/api.ts';
import type { UsageHistoryAnswer } from '../../admin/answers.ts';
import { toCount } from '../../admin/read-pages.ts';
import { UsageFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { historyCsv, historyText } from '../../output/history.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions {
  readonly key?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly by?: string;
  /** In ms. */
  readonly since?: number;
  readonly from?: string;
  readonly to?: string;
  readonly every?: string;
  readonly limit?: number;
  readonly csv?: true;
}

export function usageHistory(io: Io): Command {
  const by = new Option('--by <what>', 'a series for each').choices(['key', 'owner', 'plan', 'operation', 'outcome']);
  const every = new Option('--every <length>', 'of an interval').choices(['minute', 'hour', 'day']);
  return adminCommand(
    'history',
    'show who called what, how often, and how it went: the last 24 hours, unless told otherwise',
    'usage history --since 7d',
    'usage history --by key --since 30d --limit 20',
    'usage history --owner acme --by operation --since 90d --every day --csv',
  )
    .option('--key <id>', 'only requests with this key')
    .option('--owner <who>', 'only those of this owner')
    .option('--plan <id>', 'only those of keys on this plan')
    .option('--operation <id>', 'only those to this operation')
    .option('--outcome <code>', 'only those that were served, or refused with this code')
    .addOption(by)
    .option('--since <duration>', 'how far back, such as 90m, 24h or 7d', toDuration)
    .option('--from <time>', 'from this time on, such as 2026-11-01T00:00:00Z', toTime)
    .option('--to <time>', 'before this time', toTime)
    .addOption(every)
    .option('--limit <count>', 'show at most so many series (10)', toCount)
    .option('--csv', 'answer with CSV, a line for each interval of a series')
    .action((options: Options) => show(io, options));
}

async function show(io: Io, { json, csv, since, ...query }: Options): Promise<void> {
  if (json === true && csv === true) throw new UsageFailure('--json and --csv do not go together');
  if (since !== undefined && query.from !== undefined) throw new UsageFailure('--since and --from do not go together');
  const from = since === undefined ? query.from : new Date(io.now() - since).toISOString();
  const { body } = await connect(io).call<UsageHistoryAnswer>('GET', '/usage', { query: { ...query, from } });
  if (json === true) return printJson(io, body);
  io.out(csv === true ? historyCsv(body) : historyText(body, query.by, io.columns));
  if (body.others !== null) io.err('There are more, summed up as others: see --limit.\n');
}

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

function toDuration(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (UNITS_MS[unit] ?? 0);
  throw new InvalidArgumentError('It must be a number of minutes, hours or days, such as 90m, 24h or 7d.');
}

function toTime(text: string): string {
  if (isDateTime(text)) return text;
  throw new InvalidArgumentError('It must be a date-time with its offset, such as 2026-11-01T00:00:00Z.');
}
