import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryResponse, NewWebhookResponse, WebhookResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, createSortOption, withListOptions } from './admin-list.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  REASON_OPTION,
  type ReasonOption,
} from './command.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { formatFields, formatTable } from './table.ts';

export function createWebhooksCommand(io: Io): Command {
  return createCommandGroup(
    'webhooks',
    'Manage webhooks',
    createWebhooksCreateCommand(io),
    createWebhooksListCommand(io),
    createWebhooksShowCommand(io),
    createWebhooksEnableCommand(io),
    createWebhooksDisableCommand(io),
    createWebhooksDeleteCommand(io),
    createWebhooksTestCommand(io),
    createWebhooksRotateSecretCommand(io),
    createWebhooksDeliveriesCommand(io),
    createWebhooksRedeliverCommand(io),
  );
}

interface CreateOptions extends AdminCommandOptions, ReasonOption {
  readonly url: string;
  readonly types?: readonly string[];
  readonly description?: string;
  readonly account?: string;
}

function createWebhooksCreateCommand(io: Io): Command {
  return createAdminCommand(
    'create',
    'Create a webhook and show its signing secret once',
    'webhooks create --url https://hooks.example.com/tollgate --types key.banned store.degraded',
    'webhooks create --url https://acme.example/hook --account acc_4C578RQ63JdXHZx3Zzi8',
  )
    .requiredOption('--url <url>', 'URL to send events to')
    .option('--types <names...>', 'Event types to send (default: all)')
    .option('--description <text>', 'Description')
    .option('--account <id>', 'Account to create the webhook for (default: the operators)')
    .option(...REASON_OPTION)
    .action((options: CreateOptions) => create(io, options));
}

async function create(
  io: Io,
  { json, reason, types = ['*'], account: accountId, ...given }: CreateOptions,
): Promise<void> {
  const input = { json: { ...given, types, accountId }, reason };
  const { body } = await connect(io).call<NewWebhookResponse>('POST', '/webhooks', input);
  if (json === true) return printJson(io, body);
  io.out(`Created webhook ${body.id} for ${body.url}.\n`);
  printWebhookSecret(io, body);
  io.out(`To send a test event, run "tollgate webhooks test ${body.id}".\n`);
}

interface ListWebhooksOptions extends AdminCommandOptions, ListOptions {
  readonly account?: string;
  readonly status?: string;
  readonly search?: string;
  readonly sort?: string;
}

const WEBHOOK_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'ACCOUNT', whole: true },
  { title: 'URL' },
  { title: 'TYPES' },
  { title: 'STATUS', whole: true },
];

function createWebhooksListCommand(io: Io): Command {
  const command = createAdminCommand('list', 'List webhooks, newest first', 'webhooks list --status failing')
    .option('--account <id>', 'Filter by account; "none" for those of the operators')
    .addOption(
      new Option('--status <status>', 'Filter by status; failing webhooks are enabled').choices([
        'enabled',
        'failing',
        'disabled',
      ]),
    )
    .option('--search <text>', 'Filter by part of the id, URL or description')
    .addOption(createSortOption('createdAt', 'name', 'status'));
  return withListOptions(command).action((options: ListWebhooksOptions) => listWebhooks(io, options));
}

async function listWebhooks(io: Io, options: ListWebhooksOptions): Promise<void> {
  const { account, status, search: q, sort } = options;
  const kind = status === 'failing' ? { state: status } : { status };
  const webhooks = await readList<WebhookResponse>(connect(io), '/webhooks', { account, q, sort, ...kind }, options);
  if (options.json === true) return printJson(io, webhooks);
  const rows = webhooks.items.map((webhook) => {
    const { id, accountId, url, types } = webhook;
    return [id, accountId ?? 'operators', url, types.join(' '), formatWebhookState(webhook)];
  });
  io.out(rows.length === 0 ? 'No webhooks found.\n' : formatTable(WEBHOOK_COLUMNS, rows, io.columns));
  printMoreHint(io, webhooks);
}

function createWebhooksShowCommand(io: Io): Command {
  return createAdminCommand('show', 'Show a webhook', 'webhooks show whk_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'Webhook id')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<WebhookResponse>('GET', joinPath('webhooks', id));
  if (json === true) printJson(io, body);
  else io.out(formatWebhook(body));
}

function createWebhooksEnableCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'enable',
    what: 'Enable a disabled webhook and send it the events that are waiting',
    status: 'enabled',
    done: 'Enabled',
    next: () => 'Undelivered events are sent now.',
  });
}

function createWebhooksDisableCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'disable',
    what: 'Disable a webhook: new events are not sent to it, and undelivered ones wait',
    status: 'disabled',
    done: 'Disabled',
    next: (id) => `To undo, run "tollgate webhooks enable ${id}".`,
  });
}

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: WebhookResponse['status'];
  /** The verb in the past tense, which begins the message after the change. */
  readonly done: string;
  /** Returns a hint to print after the change. */
  readonly next: (id: string) => string;
}

/** Creates a command that sets the status of a webhook. */
function createStatusCommand(io: Io, { name, what, status, done, next }: StatusVerb): Command {
  return createAdminCommand(name, what, `webhooks ${name} whk_4C578RQ63JdXHZx3Zzi8`)
    .argument('<id>', 'Webhook id')
    .option(...REASON_OPTION)
    .action(async (id: string, { json, reason }: AdminCommandOptions & ReasonOption) => {
      const input = { json: { status }, reason };
      const { body } = await connect(io).call<WebhookResponse>('PATCH', joinPath('webhooks', id), input);
      if (json === true) printJson(io, body);
      else io.out(`${done} webhook ${body.id}.\n${next(body.id)}\n`);
    });
}

function createWebhooksDeleteCommand(io: Io): Command {
  return createAdminCommand(
    'delete',
    'Delete a webhook and its deliveries permanently',
    'webhooks delete whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'Webhook id')
    .option(...REASON_OPTION)
    .action((id: string, options: AdminCommandOptions & ReasonOption) => deleteWebhook(io, id, options));
}

async function deleteWebhook(io: Io, id: string, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  await connect(io).call('DELETE', joinPath('webhooks', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Deleted webhook ${id}.\n`);
}

function createWebhooksTestCommand(io: Io): Command {
  return createAdminCommand(
    'test',
    'Send a webhook.test event once, even to a disabled webhook; fails if the endpoint does not accept it',
    'webhooks test whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'Webhook id')
    .action((id: string, options: AdminCommandOptions) => test(io, id, options));
}

async function test(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryResponse>('POST', joinPath('webhooks', id, 'test'));
  if (json === true) printJson(io, body);
  const [attempt] = body.attempts;
  const how = attempt === undefined ? 'no attempt was recorded' : formatAttempt(attempt);
  if (body.status !== 'delivered') throw new Failure(`the endpoint did not accept the test event: ${how}`);
  if (json !== true) io.out(`Sent a test event: ${how}.\n`);
}

interface RotateOptions extends AdminCommandOptions, ReasonOption {
  readonly graceSeconds?: number;
}

function createWebhooksRotateSecretCommand(io: Io): Command {
  return createAdminCommand(
    'rotate-secret',
    'Replace the signing secret of a webhook and show the new one once',
    'webhooks rotate-secret whk_4C578RQ63JdXHZx3Zzi8',
    'webhooks rotate-secret whk_4C578RQ63JdXHZx3Zzi8 --grace-seconds 0 --reason "it was in a log"',
  )
    .argument('<id>', 'Webhook id')
    .option(
      '--grace-seconds <count>',
      'How long events are also signed with the old secret, in seconds, at most 604800 (7 days) (default: 86400, a day)',
      toSeconds,
    )
    .option(...REASON_OPTION)
    .action((id: string, options: RotateOptions) => rotate(io, id, options));
}

async function rotate(io: Io, id: string, { json, reason, graceSeconds }: RotateOptions): Promise<void> {
  const input = { json: { graceSeconds }, reason };
  const { body } = await connect(io).call<NewWebhookResponse>('POST', joinPath('webhooks', id, 'rotate-secret'), input);
  if (json === true) return printJson(io, body);
  const { previousSecretUntil: until } = body;
  io.out(`Rotated the secret of webhook ${body.id}.\n`);
  printWebhookSecret(io, body);
  io.out(
    until === null
      ? 'The old secret is no longer used.\n'
      : `Events are also signed with the old secret until ${formatTime(until)} UTC.\n`,
  );
}

function toSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number of seconds.');
}

export const DELIVERY_STATE_COLUMNS = [
  { title: 'STATUS', whole: true },
  { title: 'ATTEMPTS', whole: true, right: true },
  { title: 'LAST ATTEMPT', whole: true },
];

interface DeliveriesOptions extends AdminCommandOptions, ListOptions {
  readonly status?: string;
}

const DELIVERY_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'CREATED (UTC)', whole: true },
  { title: 'TYPE', whole: true },
  ...DELIVERY_STATE_COLUMNS,
];

function createWebhooksDeliveriesCommand(io: Io): Command {
  const command = createAdminCommand(
    'deliveries',
    'List the deliveries to a webhook, newest first (--json has every attempt)',
    'webhooks deliveries whk_4C578RQ63JdXHZx3Zzi8 --status failed',
  )
    .argument('<id>', 'Webhook id')
    .addOption(new Option('--status <status>', 'Filter by status').choices(['pending', 'delivered', 'failed']));
  return withListOptions(command).action((id: string, options: DeliveriesOptions) => listDeliveries(io, id, options));
}

async function listDeliveries(io: Io, id: string, options: DeliveriesOptions): Promise<void> {
  const { status } = options;
  const path = joinPath('webhooks', id, 'deliveries');
  const deliveries = await readList<DeliveryResponse>(connect(io), path, { status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((delivery) => [
    delivery.id,
    formatTime(delivery.createdAt),
    delivery.type,
    ...formatDeliveryState(delivery),
  ]);
  io.out(rows.length === 0 ? 'No deliveries found.\n' : formatTable(DELIVERY_COLUMNS, rows, io.columns));
  printMoreHint(io, deliveries);
}

function createWebhooksRedeliverCommand(io: Io): Command {
  return createAdminCommand(
    'redeliver',
    'Deliver an event again now, even if it was delivered before',
    'webhooks redeliver dlv_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'Delivery id, from "tollgate webhooks deliveries"')
    .action((id: string, options: AdminCommandOptions) => redeliver(io, id, options));
}

async function redeliver(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryResponse>('POST', joinPath('deliveries', id, 'redeliver'));
  if (json === true) return printJson(io, body);
  io.out(`Queued delivery ${body.id}. To see the result, run "tollgate webhooks deliveries ${body.webhookId}".\n`);
}

/** Prints the secret of a webhook. */
function printWebhookSecret(io: Io, { secret }: NewWebhookResponse): void {
  io.out(`\n  ${secret}\n\nThe secret is shown only once. Store it now.\n`);
}

/** Formats the status: `enabled`, `failing`, or `disabled` with the reason. */
function formatWebhookState({ status, disabledReason, failingSince }: WebhookResponse): string {
  if (status === 'enabled') return failingSince === null ? 'enabled' : 'failing';
  return disabledReason === null || disabledReason === 'manual' ? 'disabled' : `disabled (${disabledReason})`;
}

function formatWebhook(webhook: WebhookResponse): string {
  const { id, accountId, url, description, types, disabledAt, failingSince, previousSecretUntil } = webhook;
  const utc = (at: string) => `${formatTime(at)} UTC`;
  const optional = (name: string, at: string | null) => (at === null ? [] : [[name, utc(at)] as const]);
  return formatFields([
    ['id', id],
    ['account', accountId ?? 'none (operators)'],
    ['url', url],
    ['description', description === '' ? 'none' : description],
    ['types', types.join(', ')],
    ['status', formatWebhookState(webhook)],
    ...optional('disabled', disabledAt),
    ...optional('failing since', failingSince),
    ...optional('old secret until', previousSecretUntil),
    ['created', utc(webhook.createdAt)],
  ]);
}

/** Formats an attempt, such as `responded with 500 in 12 ms`, or why there was no response. */
function formatAttempt({ status, error, durationMs }: DeliveryResponse['attempts'][number]): string {
  return status === null
    ? `${error ?? 'no response'} after ${durationMs} ms`
    : `responded with ${status} in ${durationMs} ms`;
}

/** The cells of the columns in `DELIVERY_STATE_COLUMNS`. */
export function formatDeliveryState({ status, attempts }: DeliveryResponse): string[] {
  const last = attempts.at(-1);
  return [status, String(attempts.length), last === undefined ? '' : formatAttempt(last)];
}
