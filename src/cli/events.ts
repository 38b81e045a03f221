import { type Command, Option } from 'commander';
import type { DeliveryResponse, EventResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, createSortOption, withListOptions } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import { createEventsListenCommand } from './events-listen.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { formatTable } from './table.ts';
import { DELIVERY_STATE_COLUMNS, formatDeliveryState } from './webhooks.ts';

export function createEventsCommand(io: Io): Command {
  return createCommandGroup(
    'events',
    'List and follow events',
    createEventsListCommand(io),
    createEventsListenCommand(io),
    createEventsDeliveriesCommand(io),
  );
}

interface ListEventsOptions extends AdminCommandOptions, ListOptions {
  readonly type?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly sort?: string;
}

const EVENT_COLUMNS = [
  { title: 'TIME (UTC)', whole: true },
  { title: 'TYPE', whole: true },
  { title: 'SUBJECT', whole: true },
  { title: 'OWNER' },
  { title: 'SOURCE' },
  { title: 'DATA' },
];

function createEventsListCommand(io: Io): Command {
  const command = createAdminCommand(
    'list',
    'List events, newest first (--json has every field)',
    'events list --subject key_zh3q4XDbm1NAs5NvTGuj',
    'events list --type quota.threshold --from 2026-11-01T00:00:00Z',
  )
    .option('--type <type>', 'Filter by type, such as key.created')
    .option('--subject <id>', 'Filter by the id of a key, plan, operation or request')
    .option('--from <time>', 'Start time (inclusive), such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'End time (exclusive)')
    .addOption(createSortOption('written'));
  return withListOptions(command).action((options: ListEventsOptions) => listEvents(io, options));
}

async function listEvents(io: Io, options: ListEventsOptions): Promise<void> {
  const { type, subject, from, to, sort, json } = options;
  const events = await readList<EventResponse>(connect(io), '/events', { type, subject, from, to, sort }, options);
  if (json === true) return printJson(io, events);
  io.out(formatText(events.items, io.columns));
  printMoreHint(io, events);
}

function formatText(events: readonly EventResponse[], columns: number | null): string {
  const rows = events.map(({ at, type, subject, owner, source, data }) => {
    return [formatTime(at), type, subject ?? '', owner ?? '', source, formatOtherData(data, [subject, owner])];
  });
  return rows.length === 0 ? 'No events found.\n' : formatTable(EVENT_COLUMNS, rows, columns);
}

/** Formats the fields of the data that no other column shows. */
function formatOtherData(data: EventResponse['data'], shown: readonly unknown[]): string {
  return Object.entries(data)
    .filter(([, value]) => value !== null && !shown.includes(value))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

interface DeliveriesOptions extends AdminCommandOptions, ListOptions {
  readonly status?: string;
}

const DELIVERY_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'CREATED (UTC)', whole: true },
  { title: 'WEBHOOK', whole: true },
  ...DELIVERY_STATE_COLUMNS,
];

function createEventsDeliveriesCommand(io: Io): Command {
  const command = createAdminCommand(
    'deliveries',
    'List the deliveries of an event to webhooks, newest first (--json has every attempt)',
    'events deliveries evt_4C578RQ63JdXHZx3Zzi8 --status failed',
  )
    .argument('<id>', 'Event id, from "tollgate events list --json" or the webhook-id header of a delivery')
    .addOption(new Option('--status <status>', 'Filter by status').choices(['pending', 'delivered', 'failed']));
  return withListOptions(command).action((id: string, options: DeliveriesOptions) => listDeliveries(io, id, options));
}

async function listDeliveries(io: Io, event: string, options: DeliveriesOptions): Promise<void> {
  const { status } = options;
  const deliveries = await readList<DeliveryResponse>(connect(io), '/deliveries', { event, status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((delivery) => [
    delivery.id,
    formatTime(delivery.createdAt),
    delivery.webhookId,
    ...formatDeliveryState(delivery),
  ]);
  io.out(rows.length === 0 ? 'No deliveries found.\n' : formatTable(DELIVERY_COLUMNS, rows, io.columns));
  printMoreHint(io, deliveries);
}
