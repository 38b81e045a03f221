import { Option, type Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { WebhookAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { webhookState } from '../../output/webhooks.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly account?: string;
  readonly status?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'ACCOUNT', whole: true },
  { title: 'URL' },
  { title: 'TYPES' },
  { title: 'STATUS', whole: true },
];

export function webhooksList(io: Io): Command {
  const command = adminCommand('list', 'list webhooks, newest first', 'webhooks list --status disabled')
    .option('--account <id>', 'only those of this account; none: only those of the operators')
    .addOption(new Option('--status <status>', 'only these').choices(['enabled', 'disabled']));
  return withListOptions(command).action((options: Options) => show(io, options));
}

async function show(io: Io, options: Options): Promise<void> {
  const { account, status } = options;
  const webhooks = await list<WebhookAnswer>(connect(io), '/webhooks', { account, status }, options);
  if (options.json === true) return printJson(io, webhooks);
  const rows = webhooks.items.map((webhook) => {
    const { id, accountId, url, types } = webhook;
    return [id, accountId ?? 'operators', url, types.join(' '), webhookState(webhook)];
  });
  io.out(rows.length === 0 ? 'No webhooks.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, webhooks);
}
