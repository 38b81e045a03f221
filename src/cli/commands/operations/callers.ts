import type { Command } from 'commander';
import { type CallerJson, callersCsv } from '../../../control-plane/history/query/callers-csv.ts';
import { connect, pathTo } from '../../admin/api.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import { UsageFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly csv?: true;
}

const COLUMNS = [
  { title: 'KEY', whole: true },
  { title: 'OWNER' },
  { title: 'PLAN' },
  { title: 'FIRST (UTC)', whole: true },
  { title: 'LAST (UTC)', whole: true },
  { title: 'REQUESTS', whole: true, right: true },
];

export function operationsCallers(io: Io): Command {
  const command = adminCommand(
    'callers',
    'list the keys that ever called an operation, newest caller first',
    'operations callers getPetById',
    'operations callers getPetById --all --csv',
  )
    .argument('<id>', 'the id of the operation')
    .option('--csv', 'answer with CSV');
  return withListOptions(command).action((id: string, options: Options) => show(io, id, options));
}

async function show(io: Io, id: string, options: Options): Promise<void> {
  const { json, csv } = options;
  if (json === true && csv === true) throw new UsageFailure('--json and --csv do not go together');
  const callers = await list<CallerJson>(connect(io), pathTo('operations', id, 'callers'), {}, options);
  if (json === true) return printJson(io, callers);
  io.out(csv === true ? callersCsv(callers.items) : textOf(callers.items, io.columns));
  tellOfMore(io, callers);
}

function textOf(callers: readonly CallerJson[], columns: number | null): string {
  const rows = callers.map(({ key, owner, plan, firstAt, lastAt, requests }) => {
    return [key, owner ?? '', plan ?? '', time(firstAt), time(lastAt), String(requests)];
  });
  return rows.length === 0 ? 'Nobody has called it.\n' : table(COLUMNS, rows, columns);
}
