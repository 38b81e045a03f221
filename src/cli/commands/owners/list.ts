import type { Command } from 'commander';
import type { Owner } from '../../../control-plane/registry/keys/key.ts';
import { connect } from '../../admin/api.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly search?: string;
}

const COLUMNS = [
  { title: 'OWNER' },
  { title: 'ACTIVE KEYS', whole: true, right: true },
  { title: 'ALL KEYS', whole: true, right: true },
];

export function ownersList(io: Io): Command {
  const command = adminCommand('list', 'list whose keys there are, by name', 'owners list --search acme').option(
    '--search <text>',
    'only those with this part of their name, in any case',
  );
  return withListOptions(command).action((options: Options) => show(io, options));
}

async function show(io: Io, options: Options): Promise<void> {
  const owners = await list<Owner>(connect(io), '/owners', { q: options.search }, options);
  if (options.json === true) return printJson(io, owners);
  const rows = owners.items.map(({ owner, keys, activeKeys }) => [owner, String(activeKeys), String(keys)]);
  io.out(rows.length === 0 ? 'No owners.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, owners);
}
