import { type Command, Option } from 'commander';
import type { DeliveryAnswer } from '../../admin/answers.ts';
import { connect } from '../../admin/api.ts';
import { list, type ListOptions, withListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { table } from '../../output/table.ts';
import { DELIVERY_STATE_COLUMNS, deliveryStateCells } from '../../output/webhooks.ts';
import { tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly status?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'CREATED (UTC)', whole: true },
  { title: 'WEBHOOK', whole: true },
  ...DELIVERY_STATE_COLUMNS,
];

export function eventsDeliveries(io: Io): Command {
  const command = adminCommand(
    'deliveries',
    'list the webhooks that an event was sent to, or will be, newest first; --json shows every attempt',
    'events deliveries evt_4C578RQ63JdXHZx3Zzi8 --status failed',
  )
    .argument('<id>', 'the id of the event: "tollgate events list --json" shows it, and receivers get it as webhook-id')
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'delivered', 'failed']));
  return withListOptions(command).action((id: string, options: Options) => show(io, id, options));
}

async function show(io: Io, event: string, options: Options): Promise<void> {
  const { status } = options;
  const deliveries = await list<DeliveryAnswer>(connect(io), '/deliveries', { event, status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((one) => [one.id, time(one.createdAt), one.webhookId, ...deliveryStateCells(one)]);
  io.out(rows.length === 0 ? 'No deliveries.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, deliveries);
}
