import { Option, type Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { AccountAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { day, tellOfMore } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly plan?: string;
  readonly status?: string;
  readonly search?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'NAME' },
  { title: 'EMAIL' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'SIGNED IN', whole: true },
];

export function accountsList(io: Io): Command {
  const command = adminCommand('list', 'list accounts, newest first', 'accounts list --search acme')
    .option('--plan <id>', 'only those on this plan')
    .option('--search <text>', 'only those with this part of their id, owner, name or address, in any case')
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'disabled']));
  return withListOptions(command).action((options: Options) => show(io, options));
}

async function show(io: Io, options: Options): Promise<void> {
  const { plan, status, search: q } = options;
  const accounts = await list<AccountAnswer>(connect(io), '/accounts', { plan, status, q }, options);
  if (options.json === true) return printJson(io, accounts);
  const rows = accounts.items.map(({ id, owner, name, email, plan: of, status: is, lastSignInAt }) => [
    id,
    owner,
    name,
    email ?? '',
    of,
    is,
    day(lastSignInAt),
  ]);
  io.out(rows.length === 0 ? 'No accounts.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, accounts);
}
