import type { Command } from 'commander';
import type { Owner } from '../control-plane/registry/key.ts';
import { connect } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun } from './command.ts';
import type { Io } from './io.ts';
import { printJson } from './output.ts';
import { table } from './table.ts';

export function ownersCommand(io: Io): Command {
  return noun('owners', 'List the owners of keys', ownersList(io));
}

interface Options extends AdminCommandOptions, ListOptions {
  readonly search?: string;
}

const COLUMNS = [
  { title: 'OWNER' },
  { title: 'ACTIVE KEYS', whole: true, right: true },
  { title: 'ALL KEYS', whole: true, right: true },
];

function ownersList(io: Io): Command {
  const command = adminCommand('list', 'List owners, sorted by name', 'owners list --search acme').option(
    '--search <text>',
    'Filter by part of the name',
  );
  return withListOptions(command).action((options: Options) => listOwners(io, options));
}

async function listOwners(io: Io, options: Options): Promise<void> {
  const owners = await list<Owner>(connect(io), '/owners', { q: options.search }, options);
  if (options.json === true) return printJson(io, owners);
  const rows = owners.items.map(({ owner, keys, activeKeys }) => [owner, String(activeKeys), String(keys)]);
  io.out(rows.length === 0 ? 'No owners found.\n' : table(COLUMNS, rows, io.columns));
  printMore(io, owners);
}
