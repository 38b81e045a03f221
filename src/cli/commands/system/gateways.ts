import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { GatewayAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'MACHINE' },
  { title: 'VERSION', whole: true },
  { title: 'STATE', whole: true },
  { title: 'STARTED (UTC)', whole: true },
  { title: 'LAST SEEN (UTC)', whole: true },
];

export function systemGateways(io: Io): Command {
  const command = adminCommand(
    'gateways',
    'list the gateways that use the same database, the latest start first',
    'system gateways',
  );
  return withListOptions(command).action((options: AdminCommandOptions & ListOptions) => show(io, options));
}

async function show(io: Io, options: AdminCommandOptions & ListOptions): Promise<void> {
  const gateways = await list<GatewayAnswer>(connect(io), '/gateways', {}, options);
  if (options.json === true) return printJson(io, gateways);
  const rows = gateways.items.map(({ id, host, version, state, startedAt, lastSeenAt }) => {
    return [id, host, version, state, time(startedAt), time(lastSeenAt)];
  });
  io.out(rows.length === 0 ? 'No gateways.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, gateways);
}
