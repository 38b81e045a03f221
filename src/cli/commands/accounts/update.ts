import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { AccountAnswer } from '../../admin/answers.ts';
import { UsageFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { accountFields } from '../../output/accounts.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly name?: string;
  readonly plan?: string;
  readonly email?: string;
}

export function accountsUpdate(io: Io): Command {
  return adminCommand(
    'update',
    'change an account; what is not named stays as it is',
    'accounts update acc_4C578RQ63JdXHZx3Zzi8 --plan pro --reason "as agreed"',
  )
    .argument('<id>', 'the id of the account')
    .option('--name <name>', 'who it is')
    .option('--plan <id>', 'the plan of the keys made for it, those that it has too')
    .option('--email <address>', 'who signs in by OpenID Connect, or "none"')
    .option(...REASON)
    .action((id: string, options: Options) => update(io, id, options));
}

async function update(io: Io, id: string, { json, reason, email, ...given }: Options): Promise<void> {
  const patch = { ...given, ...(email === undefined ? {} : { email: email === 'none' ? null : email }) };
  if (Object.keys(patch).length === 0) throw new UsageFailure('say what to change: --help lists what can be');
  const { body } = await connect(io).call<AccountAnswer>('PATCH', pathTo('accounts', id), { json: patch, reason });
  if (json === true) printJson(io, body);
  else io.out(accountFields(body));
}
