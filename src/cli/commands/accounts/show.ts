import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { AccountAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { fields } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function accountsShow(io: Io): Command {
  return adminCommand('show', 'show an account', 'accounts show acc_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'the id of the account')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<AccountAnswer>('GET', pathTo('accounts', id));
  if (json === true) return printJson(io, body);
  io.out(
    fields([
      ['id', body.id],
      ['owner', body.owner],
      ['name', body.name],
      ['email', body.email ?? 'none'],
      ['status', body.status],
      ['plan', body.plan],
      ['created', `${time(body.createdAt)} UTC`],
      ['signed in', body.lastSignInAt === null ? 'never' : `${time(body.lastSignInAt)} UTC`],
    ]),
  );
}
