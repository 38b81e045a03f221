import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { KeyAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { keyFields } from '../../output/keys.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function keysShow(io: Io): Command {
  return adminCommand('show', 'show a key', 'keys show key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'the id of the key')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<KeyAnswer>('GET', pathTo('keys', id));
  if (json === true) printJson(io, body);
  else io.out(keyFields(io, body));
}
