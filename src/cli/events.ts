import { type Command, Option } from 'commander';
import type { DeliveryAnswer, EventAnswer } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { list, type ListOptions, printMore, sortOption, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun } from './command.ts';
import { eventsListen } from './events-listen.ts';
import type { Io } from './io.ts';
import { printJson, time } from './output.ts';
import { table } from './table.ts';
import { DELIVERY_STATE_COLUMNS, deliveryStateCells } from './webhooks.ts';

export function eventsCommand(io: Io): Command {
  return noun('events', 'List and follow events', eventsList(io), eventsListen(io), eventsDeliveries(io));
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

function eventsList(io: Io): Command {
  const command = adminCommand(
    'list',
    'List events, newest first (--json has every field)',
    'events list --subject key_zh3q4XDbm1NAs5NvTGuj',
    'events list --type quota.threshold --from 2026-11-01T00:00:00Z',
  )
    .option('--type <type>', 'Filter by type, such as key.created')
    .option('--subject <id>', 'Filter by the id of a key, plan, operation or request')
    .option('--from <time>', 'Start time (inclusive), such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'End time (exclusive)')
    .addOption(sortOption('written'));
  return withListOptions(command).action((options: ListEventsOptions) => listEvents(io, options));
}

async function listEvents(io: Io, options: ListEventsOptions): Promise<void> {
  const { type, subject, from, to, sort, json } = options;
  const events = await list<EventAnswer>(connect(io), '/events', { type, subject, from, to, sort }, options);
  if (json === true) return printJson(io, events);
  io.out(formatText(events.items, io.columns));
  printMore(io, events);
}

function formatText(events: readonly EventAnswer[], columns: number | null): string {
  const rows = events.map(({ at, type, subject, owner, source, data }) => {
    return [time(at), type, subject ?? '', owner ?? '', source, otherData(data, [subject, owner])];
  });
  return rows.length === 0 ? 'No events found.\n' : table(EVENT_COLUMNS, rows, columns);
}

/** Formats the fields of the data that no other column shows. */
function otherData(data: EventAnswer['data'], shown: readonly unknown[]): string {
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

function eventsDeliveries(io: Io): Command {
  const command = adminCommand(
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
  const deliveries = await list<DeliveryAnswer>(connect(io), '/deliveries', { event, status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((one) => [one.id, time(one.createdAt), one.webhookId, ...deliveryStateCells(one)]);
  io.out(rows.length === 0 ? 'No deliveries found.\n' : table(DELIVERY_COLUMNS, rows, io.columns));
  printMore(io, deliveries);
}
