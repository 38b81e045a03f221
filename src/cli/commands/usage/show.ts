import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { UsageAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { usageText } from '../../output/usage.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function usageShow(io: Io): Command {
  return adminCommand('show', 'show what a key has used, and its ban', 'usage key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'the id of the key')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<UsageAnswer>('GET', pathTo('keys', id, 'usage'));
  if (json === true) printJson(io, body);
  else io.out(usageText(body));
}
