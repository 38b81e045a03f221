import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { AccountAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { accountFields } from '../../output/accounts.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function accountsShow(io: Io): Command {
  return adminCommand('show', 'show an account', 'accounts show acc_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'the id of the account')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<AccountAnswer>('GET', pathTo('accounts', id));
  if (json === true) printJson(io, body);
  else io.out(accountFields(body));
}
