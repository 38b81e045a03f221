import type { Command } from 'commander';
import type { AccountStatus } from '../../../control-plane/accounts/account.ts';
import { connect, pathTo } from '../../admin/api.ts';
import type { AccountAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: AccountStatus;
  /** The account's new state, for the message. */
  readonly done: string;
}

/** A verb that sets the status of one account. */
export function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
  return adminCommand(name, what, `accounts ${name} acc_4C578RQ63JdXHZx3Zzi8`)
    .argument('<id>', 'the id of the account')
    .option(...REASON)
    .action(async (id: string, { json, reason }: AdminCommandOptions & ReasonOption) => {
      const sent = { json: { status }, reason };
      const { body } = await connect(io).call<AccountAnswer>('PATCH', pathTo('accounts', id), sent);
      if (json === true) printJson(io, body);
      else io.out(`Account ${body.id} of ${body.owner} ${done}.\n`);
    });
}
