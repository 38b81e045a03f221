import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { WebhookAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: WebhookAnswer['status'];
  /** The webhook's new state, for the message. */
  readonly done: string;
}

/** A verb that sets the status of one webhook. */
export function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
  return adminCommand(name, what, `webhooks ${name} whk_4C578RQ63JdXHZx3Zzi8`)
    .argument('<id>', 'the id of the webhook')
    .option(...REASON)
    .action(async (id: string, { json, reason }: AdminCommandOptions & ReasonOption) => {
      const sent = { json: { status }, reason };
      const { body } = await connect(io).call<WebhookAnswer>('PATCH', pathTo('webhooks', id), sent);
      if (json === true) printJson(io, body);
      else io.out(`Webhook ${body.id} ${done}.\n`);
    });
}
