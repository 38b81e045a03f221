import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { SystemAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { fields, table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

const COLUMNS = [
  { title: 'WHAT', whole: true },
  { title: 'KIND', whole: true },
  { title: 'STATE', whole: true },
  { title: 'SINCE (UTC)', whole: true },
  { title: 'WHY' },
];

export function systemShow(io: Io): Command {
  return adminCommand(
    'show',
    'show how the gateway is, what it needs, and since when that is as it is',
    'system show',
  ).action((options: AdminCommandOptions) => show(io, options));
}

async function show(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<SystemAnswer>('GET', '/system');
  if (json === true) return printJson(io, body);
  const { version, nodeVersion, gateway, health, listeners, components, history } = body;
  const facts = fields([
    ['version', `${version}, on Node ${nodeVersion}`],
    ['gateway', `${gateway.id} on ${gateway.host}, since ${time(gateway.startedAt)}`],
    ['health', health],
    ['consumers call', listeners.public],
    ['operators call', listeners.admin],
    ['history', `${history.pendingRows} rows not written yet, ${Math.round(history.lagMs / 1000)} s old`],
  ]);
  const rows = components.map(({ name, kind, state, since, cause }) => [name, kind, state, time(since), cause ?? '']);
  io.out(`${facts}\n${table(COLUMNS, rows, io.columns)}`);
}
