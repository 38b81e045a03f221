import { Option, type Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { BanAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly key?: string;
  readonly status?: string;
}

const COLUMNS = [
  { title: 'KEY', whole: true },
  { title: 'STATUS', whole: true },
  { title: 'FROM (UTC)', whole: true },
  { title: 'UNTIL (UTC)', whole: true },
  { title: 'BY' },
  { title: 'WHY' },
];

export function bansList(io: Io): Command {
  const status = new Option('--status <status>', 'only these').choices(['active', 'expired', 'lifted', 'replaced']);
  const command = adminCommand(
    'list',
    'list bans, those that run and those that ended, newest first (--json has the evidence)',
    'bans list --status active',
  );
  return withListOptions(command.option('--key <id>', 'only those of this key').addOption(status)).action(
    (options: Options) => show(io, options),
  );
}

async function show(io: Io, options: Options): Promise<void> {
  const { key, status } = options;
  const bans = await list<BanAnswer>(connect(io), '/bans', { key, status }, options);
  if (options.json === true) return printJson(io, bans);
  const rows = bans.items.map((ban) => [
    ban.keyId,
    ban.status,
    time(ban.from),
    time(ban.until),
    ban.actor,
    ban.reason ?? '',
  ]);
  io.out(rows.length === 0 ? 'No bans.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, bans);
}
