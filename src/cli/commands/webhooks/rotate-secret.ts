import { InvalidArgumentError, type Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { NewWebhookAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { tellWebhookSecret } from '../../output/webhooks.ts';
import { printJson } from '../../output/json.ts';
import { time } from '../../output/format.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly graceSeconds?: number;
}

export function webhooksRotateSecret(io: Io): Command {
  return adminCommand(
    'rotate-secret',
    'replace the secret of a webhook, and show the new one: this once',
    'webhooks rotate-secret whk_4C578RQ63JdXHZx3Zzi8',
    'webhooks rotate-secret whk_4C578RQ63JdXHZx3Zzi8 --grace-seconds 0 --reason "it was in a log"',
  )
    .argument('<id>', 'the id of the webhook')
    .option('--grace-seconds <count>', 'how long the old one signs, too: a day (86400), 0, or up to 7 days', toSeconds)
    .option(...REASON)
    .action((id: string, options: Options) => rotate(io, id, options));
}

async function rotate(io: Io, id: string, { json, reason, graceSeconds }: Options): Promise<void> {
  const sent = { json: { graceSeconds }, reason };
  const { body } = await connect(io).call<NewWebhookAnswer>('POST', pathTo('webhooks', id, 'rotate-secret'), sent);
  if (json === true) return printJson(io, body);
  const { previousSecretUntil: until } = body;
  io.out(`Webhook ${body.id} has a new secret.\n`);
  tellWebhookSecret(io, body);
  io.out(until === null ? 'The old one signs no more.\n' : `The old one signs, too, until ${time(until)} UTC.\n`);
}

function toSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
