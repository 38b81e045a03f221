import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { UsageAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { usageText } from '../../output/usage.ts';
import { printJson } from '../../output/json.ts';
import { toReason, adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions {
  readonly reason: string;
}

export function usageReset(io: Io): Command {
  return adminCommand(
    'reset',
    'empty both windows of a key, and clear its strikes; a ban that runs goes on',
    'usage reset key_zh3q4XDbm1NAs5NvTGuj --reason "our client library looped"',
  )
    .argument('<id>', 'the id of the key')
    .requiredOption('--reason <why>', 'why, for the audit log', toReason)
    .action((id: string, options: Options) => reset(io, id, options));
}

async function reset(io: Io, id: string, { json, reason }: Options): Promise<void> {
  const { body } = await connect(io).call<UsageAnswer>('POST', pathTo('keys', id, 'usage', 'reset'), {
    json: { reason },
  });
  if (json === true) printJson(io, body);
  else io.out(usageText(body));
}
