import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { ConfigurationAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

const COLUMNS = [{ title: 'SETTING', whole: true }, { title: 'VALUE' }, { title: 'FROM', whole: true }];

export function systemConfiguration(io: Io): Command {
  return adminCommand(
    'configuration',
    'show the configuration as it is in force, and where each setting comes from; no secret is in it',
    'system configuration',
  ).action((options: AdminCommandOptions) => show(io, options));
}

async function show(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<ConfigurationAnswer>('GET', '/system/configuration');
  if (json === true) return printJson(io, body);
  const rows = body.settings.map(({ name, value, from }) => [
    name,
    value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    from?.replace(/^.*\//, '') ?? 'default',
  ]);
  io.out(`${body.file}\n\n${table(COLUMNS, rows, io.columns)}`);
}
