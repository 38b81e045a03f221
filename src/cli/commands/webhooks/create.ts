import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { NewWebhookAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { tellWebhookSecret } from '../../output/webhooks.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly url: string;
  readonly types?: readonly string[];
  readonly description?: string;
  readonly account?: string;
}

export function webhooksCreate(io: Io): Command {
  return adminCommand(
    'create',
    'have events sent to a URL, and show the secret that they are signed with: this once',
    'webhooks create --url https://hooks.example.com/tollgate --types key.banned store.degraded',
    'webhooks create --url https://acme.example/hook --account acc_4C578RQ63JdXHZx3Zzi8',
  )
    .requiredOption('--url <url>', 'where they are sent')
    .option('--types <names...>', 'only events of these types; without it, all that it may see')
    .option('--description <text>', 'for people')
    .option('--account <id>', 'the account that it belongs to, which gets its own events; without it, the operators')
    .option(...REASON)
    .action((options: Options) => create(io, options));
}

async function create(io: Io, { json, reason, types = ['*'], account: accountId, ...given }: Options): Promise<void> {
  const sent = { json: { ...given, types, accountId }, reason };
  const { body } = await connect(io).call<NewWebhookAnswer>('POST', '/webhooks', sent);
  if (json === true) return printJson(io, body);
  io.out(`Webhook ${body.id} is made, for ${body.url}.\n`);
  tellWebhookSecret(io, body);
  io.out(`"tollgate webhooks test ${body.id}" sends a first event.\n`);
}
