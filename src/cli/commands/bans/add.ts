import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { BanAnswer } from '../../admin/answers.ts';
import { toCount } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { time } from '../../output/format.ts';
import { toReason, adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions {
  readonly seconds: number;
  readonly reason: string;
}

export function bansAdd(io: Io): Command {
  return adminCommand(
    'add',
    'ban a key for a while, from its next request on; replaces a ban that runs',
    'bans add key_zh3q4XDbm1NAs5NvTGuj --seconds 3600 --reason scraping',
  )
    .argument('<id>', 'the id of the key; the ban holds for all keys of its rotation chain, or of its account')
    .requiredOption('--seconds <count>', 'how long', toCount)
    .requiredOption('--reason <why>', 'why, for the list of bans and the audit log', toReason)
    .action((id: string, options: Options) => add(io, id, options));
}

async function add(io: Io, id: string, { json, seconds, reason }: Options): Promise<void> {
  const { body } = await connect(io).call<BanAnswer>('PUT', pathTo('keys', id, 'ban'), { json: { seconds, reason } });
  if (json === true) printJson(io, body);
  else io.out(`Key ${body.keyId} is banned until ${time(body.until)} UTC.\n`);
}
