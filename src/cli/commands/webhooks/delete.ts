import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

export function webhooksDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'delete a webhook for good, with its deliveries',
    'webhooks delete whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'the id of the webhook')
    .option(...REASON)
    .action((id: string, options: AdminCommandOptions & ReasonOption) => remove(io, id, options));
}

async function remove(io: Io, id: string, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  await connect(io).call('DELETE', pathTo('webhooks', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Webhook ${id} is deleted.\n`);
}
