import { Option, type Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { PlanRequestAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { day, tellOfMore } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly account?: string;
  readonly status?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'HAS' },
  { title: 'ASKS FOR' },
  { title: 'STATUS', whole: true },
  { title: 'ASKED', whole: true },
  { title: 'MESSAGE' },
];

export function planRequestsList(io: Io): Command {
  const status = new Option('--status <status>', 'only these').choices(['open', 'approved', 'declined']);
  const command = adminCommand(
    'list',
    'list requests for another plan, newest first',
    'plan-requests list --status open',
  )
    .option('--account <id>', 'only those of this account')
    .addOption(status);
  return withListOptions(command).action((options: Options) => show(io, options));
}

async function show(io: Io, options: Options): Promise<void> {
  const { account, status } = options;
  const requests = await list<PlanRequestAnswer>(connect(io), '/plan-requests', { account, status }, options);
  if (options.json === true) return printJson(io, requests);
  const rows = requests.items.map((request) => [
    request.id,
    request.account.owner,
    request.account.plan,
    request.plan,
    request.status,
    day(request.createdAt),
    request.message,
  ]);
  io.out(rows.length === 0 ? 'No requests.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, requests);
}
