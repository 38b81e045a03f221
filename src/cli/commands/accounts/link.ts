import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { LinkAnswer } from '../../admin/answers.ts';
import { toCount } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { tellLink } from '../../output/format.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly seconds?: number;
}

export function accountsLink(io: Io): Command {
  return adminCommand(
    'link',
    'make a link that signs in to the portal, once: for an invitation, say',
    'accounts link acc_4C578RQ63JdXHZx3Zzi8 --seconds 604800',
  )
    .argument('<id>', 'the id of the account')
    .option('--seconds <count>', 'how long it may be used: 15 minutes (900), or up to 7 days (604800)', toCount)
    .option(...REASON)
    .action((id: string, options: Options) => makeLink(io, id, options));
}

async function makeLink(io: Io, id: string, { json, reason, seconds }: Options): Promise<void> {
  const sent = { json: { seconds }, reason };
  const { body } = await connect(io).call<LinkAnswer>('POST', pathTo('accounts', id, 'sign-in-link'), sent);
  if (json === true) printJson(io, body);
  else tellLink(io, body);
}
