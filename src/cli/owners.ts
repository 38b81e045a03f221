import type { Command } from 'commander';
import type { OwnerResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, createSortOption, withListOptions } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { printJson } from './output.ts';
import { formatTable } from './table.ts';
import { toDuration } from './usage-history.ts';

export function createOwnersCommand(io: Io): Command {
  return createCommandGroup('owners', 'List the owners of keys', createOwnersListCommand(io));
}

interface Options extends AdminCommandOptions, ListOptions {
  readonly search?: string;
  readonly sort?: string;
  /** How far back to count, in ms. */
  readonly since?: number;
}

const COLUMNS = [
  { title: 'OWNER' },
  { title: 'ACCOUNT' },
  { title: 'ACTIVE KEYS', whole: true, right: true },
  { title: 'ALL KEYS', whole: true, right: true },
];
const REQUEST_COLUMNS = [
  { title: 'REQUESTS', whole: true, right: true },
  { title: 'REFUSED', whole: true, right: true },
];

function createOwnersListCommand(io: Io): Command {
  const command = createAdminCommand(
    'list',
    'List owners, sorted by owner unless --sort is given',
    'owners list --search acme',
    'owners list --since 7d --sort=-requests',
  )
    .option('--search <text>', 'Filter by part of the owner, or of the name or email address of the account')
    .addOption(createSortOption('owner', 'keys', 'activeKeys', 'lastUsedAt', 'requests'))
    .option('--since <duration>', 'Count requests that far back, such as 90m, 24h or 7d', toDuration);
  return withListOptions(command).action((options: Options) => listOwners(io, options));
}

async function listOwners(io: Io, options: Options): Promise<void> {
  const { search: q, sort, since } = options;
  if (since === undefined && sort?.endsWith('requests') === true) {
    throw new UsageFailure('--sort requests needs --since');
  }
  const from = since === undefined ? undefined : new Date(io.now() - since).toISOString();
  const owners = await readList<OwnerResponse>(connect(io), '/owners', { q, sort, from, points: 'false' }, options);
  if (options.json === true) return printJson(io, owners);
  const rows = owners.items.map(({ owner, account, keys, activeKeys, usage }) => {
    const { requests, refused } = usage?.totals ?? {};
    return [owner, account?.name ?? '', String(activeKeys), String(keys), String(requests), String(refused)];
  });
  const columns = since === undefined ? COLUMNS : [...COLUMNS, ...REQUEST_COLUMNS];
  const cells = rows.map((row) => row.slice(0, columns.length));
  io.out(rows.length === 0 ? 'No owners found.\n' : formatTable(columns, cells, io.columns));
  printMoreHint(io, owners);
}
