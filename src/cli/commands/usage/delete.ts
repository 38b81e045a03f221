import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { DeletedAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { count } from '../../output/format.ts';
import { toReason, adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions {
  readonly owner: string;
  readonly reason: string;
}

export function usageDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'delete the history of an owner, for good; quotas, bans and the audit log stay',
    'usage delete --owner acme --reason "asked for it, ticket 4711"',
  )
    .requiredOption('--owner <who>', 'whose keys')
    .requiredOption('--reason <why>', 'why, for the audit log', toReason)
    .action((options: Options) => remove(io, options));
}

async function remove(io: Io, { json, owner, reason }: Options): Promise<void> {
  const { body } = await connect(io).call<DeletedAnswer>('DELETE', '/usage', { query: { owner }, json: { reason } });
  if (json === true) return printJson(io, body);
  io.out(
    body.keys === 0
      ? `No key is of ${owner}, so there is nothing to delete.\n`
      : `The history of ${count(body.keys, 'key')} of ${owner} is deleted (${count(body.rows, 'row')}).\n`,
  );
}
