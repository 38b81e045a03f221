import type { Command } from 'commander';
import type { EventAnswer } from '../../admin/answers.ts';
import { connect } from '../../admin/api.ts';
import { list, type ListOptions, withListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly type?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
}

const COLUMNS = [
  { title: 'WHEN (UTC)', whole: true },
  { title: 'TYPE', whole: true },
  { title: 'SUBJECT', whole: true },
  { title: 'OWNER' },
  { title: 'FROM' },
  { title: 'WHAT' },
];

export function eventsList(io: Io): Command {
  const command = adminCommand(
    'list',
    'list what happened, newest first (--json has every field)',
    'events list --subject key_zh3q4XDbm1NAs5NvTGuj',
    'events list --type quota.threshold --from 2026-11-01T00:00:00Z',
  )
    .option('--type <type>', 'only this, such as key.created')
    .option('--subject <id>', 'only what is about this key, plan, operation or request')
    .option('--from <time>', 'from this time on, such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'before this time');
  return withListOptions(command).action((options: Options) => show(io, options));
}

async function show(io: Io, options: Options): Promise<void> {
  const { type, subject, from, to, json } = options;
  const events = await list<EventAnswer>(connect(io), '/events', { type, subject, from, to }, options);
  if (json === true) return printJson(io, events);
  io.out(textOf(events.items, io.columns));
  tellOfMore(io, events);
}

function textOf(events: readonly EventAnswer[], columns: number | null): string {
  const rows = events.map(({ at, type, subject, owner, source, data }) => {
    return [time(at), type, subject ?? '', owner ?? '', source, inShort(data, [subject, owner])];
  });
  return rows.length === 0 ? 'No events.\n' : table(COLUMNS, rows, columns);
}

/** What the columns do not say already. */
function inShort(data: EventAnswer['data'], said: readonly unknown[]): string {
  return Object.entries(data)
    .filter(([, value]) => value !== null && !said.includes(value))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
