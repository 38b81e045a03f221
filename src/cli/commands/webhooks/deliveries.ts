import { Option, type Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { DeliveryAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { DELIVERY_STATE_COLUMNS, deliveryStateCells } from '../../output/webhooks.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly status?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'CREATED (UTC)', whole: true },
  { title: 'TYPE', whole: true },
  ...DELIVERY_STATE_COLUMNS,
];

export function webhooksDeliveries(io: Io): Command {
  const command = adminCommand(
    'deliveries',
    'list what was delivered to a webhook, or was not, newest first; --json shows every attempt',
    'webhooks deliveries whk_4C578RQ63JdXHZx3Zzi8 --status failed',
  )
    .argument('<id>', 'the id of the webhook')
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'delivered', 'failed']));
  return withListOptions(command).action((id: string, options: Options) => show(io, id, options));
}

async function show(io: Io, id: string, options: Options): Promise<void> {
  const { status } = options;
  const path = pathTo('webhooks', id, 'deliveries');
  const deliveries = await list<DeliveryAnswer>(connect(io), path, { status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((one) => [one.id, time(one.createdAt), one.type, ...deliveryStateCells(one)]);
  io.out(rows.length === 0 ? 'No deliveries.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, deliveries);
}
