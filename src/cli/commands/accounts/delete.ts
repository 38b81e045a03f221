import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { toReason, adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions {
  readonly reason: string;
}

export function accountsDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'delete an account for good, and revoke the keys made for it; keys that operators gave its owner stay',
    'accounts delete acc_4C578RQ63JdXHZx3Zzi8 --reason "the contract ended"',
  )
    .argument('<id>', 'the id of the account')
    .requiredOption('--reason <why>', 'why, for the audit log', toReason)
    .action((id: string, options: Options) => remove(io, id, options));
}

async function remove(io: Io, id: string, { json, reason }: Options): Promise<void> {
  await connect(io).call('DELETE', pathTo('accounts', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Account ${id} is deleted, and the keys made for it are revoked.\n`);
}
