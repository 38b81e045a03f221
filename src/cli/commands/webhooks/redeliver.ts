import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { DeliveryAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function webhooksRedeliver(io: Io): Command {
  return adminCommand(
    'redeliver',
    'deliver an event again, now, whatever became of it',
    'webhooks redeliver dlv_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'the id of the delivery: "tollgate webhooks deliveries" shows it')
    .action((id: string, options: AdminCommandOptions) => redeliver(io, id, options));
}

async function redeliver(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryAnswer>('POST', pathTo('deliveries', id, 'redeliver'));
  if (json === true) return printJson(io, body);
  io.out(`Delivery ${body.id} is due now: "tollgate webhooks deliveries ${body.webhookId}" tells how it went.\n`);
}
