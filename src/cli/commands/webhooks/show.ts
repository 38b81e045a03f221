import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { WebhookAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { webhookFields } from '../../output/webhooks.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function webhooksShow(io: Io): Command {
  return adminCommand('show', 'show a webhook', 'webhooks show whk_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'the id of the webhook')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<WebhookAnswer>('GET', pathTo('webhooks', id));
  if (json === true) printJson(io, body);
  else io.out(webhookFields(body));
}
