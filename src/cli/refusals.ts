import type { Command } from 'commander';
import type { RefusalResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, withListOptions } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { formatTable } from './table.ts';

export function createRefusalsCommand(io: Io): Command {
  return createCommandGroup('refusals', 'List refused requests', createRefusalsListCommand(io));
}

interface Options extends AdminCommandOptions, ListOptions {
  readonly key?: string;
  readonly owner?: string;
  readonly code?: string;
  readonly operation?: string;
}

/** Formats a request. An operation without an operationId already has the method in its id. */
function formatRequest(method: string, what: string): string {
  return what.startsWith(`${method} `) ? what : `${method} ${what}`;
}

const COLUMNS = [
  { title: 'TIME (UTC)', whole: true },
  { title: 'KEY', whole: true },
  { title: 'OWNER' },
  { title: 'REQUEST' },
  { title: 'REFUSED WITH', whole: true },
  { title: 'REQUEST ID', whole: true },
];

function createRefusalsListCommand(io: Io): Command {
  const command = createAdminCommand(
    'list',
    'List recent refusals of known keys, newest first (--json has their causes)',
    'refusals list --owner acme',
    'refusals list --code quota_exceeded --all',
  )
    .option('--key <id>', 'Filter by key')
    .option('--owner <owner>', 'Filter by owner')
    .option('--code <code>', 'Filter by error code')
    .option('--operation <id>', 'Filter by operation');
  return withListOptions(command).action((options: Options) => listRefusals(io, options));
}

async function listRefusals(io: Io, options: Options): Promise<void> {
  const { key, owner, code, operation } = options;
  const refusals = await readList<RefusalResponse>(connect(io), '/requests', { key, owner, code, operation }, options);
  if (options.json === true) return printJson(io, refusals);
  const rows = refusals.items.map(({ at, keyId, method, operation, path, status, requestId, ...of }) => {
    return [
      formatTime(at),
      keyId,
      of.owner ?? '',
      formatRequest(method, operation ?? path ?? ''),
      `${status} ${of.code}`,
      requestId,
    ];
  });
  io.out(rows.length === 0 ? 'No refusals found.\n' : formatTable(COLUMNS, rows, io.columns));
  printMoreHint(io, refusals);
}
