import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryAnswer, NewWebhookAnswer, WebhookAnswer } from './admin-api-types.ts';
import { connect, pathTo } from './admin-api.ts';
import { list, type ListOptions, printMore, sortOption, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun, REASON, type ReasonOption } from './command.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { printJson, time } from './output.ts';
import { fields, table } from './table.ts';

export function webhooksCommand(io: Io): Command {
  return noun(
    'webhooks',
    'Manage webhooks',
    webhooksCreate(io),
    webhooksList(io),
    webhooksShow(io),
    webhooksEnable(io),
    webhooksDisable(io),
    webhooksDelete(io),
    webhooksTest(io),
    webhooksRotateSecret(io),
    webhooksDeliveries(io),
    webhooksRedeliver(io),
  );
}

interface CreateOptions extends AdminCommandOptions, ReasonOption {
  readonly url: string;
  readonly types?: readonly string[];
  readonly description?: string;
  readonly account?: string;
}

function webhooksCreate(io: Io): Command {
  return adminCommand(
    'create',
    'Create a webhook and show its signing secret once',
    'webhooks create --url https://hooks.example.com/tollgate --types key.banned store.degraded',
    'webhooks create --url https://acme.example/hook --account acc_4C578RQ63JdXHZx3Zzi8',
  )
    .requiredOption('--url <url>', 'URL to send events to')
    .option('--types <names...>', 'Event types to send (default: all)')
    .option('--description <text>', 'Description')
    .option('--account <id>', 'Account to create the webhook for (default: the operators)')
    .option(...REASON)
    .action((options: CreateOptions) => create(io, options));
}

async function create(
  io: Io,
  { json, reason, types = ['*'], account: accountId, ...given }: CreateOptions,
): Promise<void> {
  const sent = { json: { ...given, types, accountId }, reason };
  const { body } = await connect(io).call<NewWebhookAnswer>('POST', '/webhooks', sent);
  if (json === true) return printJson(io, body);
  io.out(`Created webhook ${body.id} for ${body.url}.\n`);
  printWebhookSecret(io, body);
  io.out(`To send a test event, run "tollgate webhooks test ${body.id}".\n`);
}

interface ListWebhooksOptions extends AdminCommandOptions, ListOptions {
  readonly account?: string;
  readonly status?: string;
  readonly sort?: string;
}

const WEBHOOK_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'ACCOUNT', whole: true },
  { title: 'URL' },
  { title: 'TYPES' },
  { title: 'STATUS', whole: true },
];

function webhooksList(io: Io): Command {
  const command = adminCommand('list', 'List webhooks, newest first', 'webhooks list --status failing')
    .option('--account <id>', 'Filter by account; "none" for those of the operators')
    .addOption(
      new Option('--status <status>', 'Filter by status; failing webhooks are enabled').choices([
        'enabled',
        'failing',
        'disabled',
      ]),
    )
    .addOption(sortOption('createdAt', 'name', 'status'));
  return withListOptions(command).action((options: ListWebhooksOptions) => listWebhooks(io, options));
}

async function listWebhooks(io: Io, options: ListWebhooksOptions): Promise<void> {
  const { account, status, sort } = options;
  const kind = status === 'failing' ? { state: status } : { status };
  const webhooks = await list<WebhookAnswer>(connect(io), '/webhooks', { account, sort, ...kind }, options);
  if (options.json === true) return printJson(io, webhooks);
  const rows = webhooks.items.map((webhook) => {
    const { id, accountId, url, types } = webhook;
    return [id, accountId ?? 'operators', url, types.join(' '), webhookState(webhook)];
  });
  io.out(rows.length === 0 ? 'No webhooks found.\n' : table(WEBHOOK_COLUMNS, rows, io.columns));
  printMore(io, webhooks);
}

function webhooksShow(io: Io): Command {
  return adminCommand('show', 'Show a webhook', 'webhooks show whk_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'Webhook id')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<WebhookAnswer>('GET', pathTo('webhooks', id));
  if (json === true) printJson(io, body);
  else io.out(webhookFields(body));
}

function webhooksEnable(io: Io): Command {
  return statusVerb(io, {
    name: 'enable',
    what: 'Enable a disabled webhook and send it the events that are waiting',
    status: 'enabled',
    done: 'Enabled',
    next: () => 'Undelivered events are sent now.',
  });
}

function webhooksDisable(io: Io): Command {
  return statusVerb(io, {
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
  readonly status: WebhookAnswer['status'];
  /** The verb in the past tense, which begins the message after the change. */
  readonly done: string;
  /** Returns a hint to print after the change. */
  readonly next: (id: string) => string;
}

/** Creates a command that sets the status of a webhook. */
function statusVerb(io: Io, { name, what, status, done, next }: StatusVerb): Command {
  return adminCommand(name, what, `webhooks ${name} whk_4C578RQ63JdXHZx3Zzi8`)
    .argument('<id>', 'Webhook id')
    .option(...REASON)
    .action(async (id: string, { json, reason }: AdminCommandOptions & ReasonOption) => {
      const sent = { json: { status }, reason };
      const { body } = await connect(io).call<WebhookAnswer>('PATCH', pathTo('webhooks', id), sent);
      if (json === true) printJson(io, body);
      else io.out(`${done} webhook ${body.id}.\n${next(body.id)}\n`);
    });
}

function webhooksDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'Delete a webhook and its deliveries permanently',
    'webhooks delete whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'Webhook id')
    .option(...REASON)
    .action((id: string, options: AdminCommandOptions & ReasonOption) => remove(io, id, options));
}

async function remove(io: Io, id: string, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  await connect(io).call('DELETE', pathTo('webhooks', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Deleted webhook ${id}.\n`);
}

function webhooksTest(io: Io): Command {
  return adminCommand(
    'test',
    'Send a webhook.test event once, even to a disabled webhook; fails if the endpoint does not accept it',
    'webhooks test whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'Webhook id')
    .action((id: string, options: AdminCommandOptions) => test(io, id, options));
}

async function test(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryAnswer>('POST', pathTo('webhooks', id, 'test'));
  if (json === true) printJson(io, body);
  const [attempt] = body.attempts;
  const how = attempt === undefined ? 'no attempt was recorded' : attemptInWords(attempt);
  if (body.status !== 'delivered') throw new Failure(`the endpoint did not accept the test event: ${how}`);
  if (json !== true) io.out(`Sent a test event: ${how}.\n`);
}

interface RotateOptions extends AdminCommandOptions, ReasonOption {
  readonly graceSeconds?: number;
}

function webhooksRotateSecret(io: Io): Command {
  return adminCommand(
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
    .option(...REASON)
    .action((id: string, options: RotateOptions) => rotate(io, id, options));
}

async function rotate(io: Io, id: string, { json, reason, graceSeconds }: RotateOptions): Promise<void> {
  const sent = { json: { graceSeconds }, reason };
  const { body } = await connect(io).call<NewWebhookAnswer>('POST', pathTo('webhooks', id, 'rotate-secret'), sent);
  if (json === true) return printJson(io, body);
  const { previousSecretUntil: until } = body;
  io.out(`Rotated the secret of webhook ${body.id}.\n`);
  printWebhookSecret(io, body);
  io.out(
    until === null
      ? 'The old secret is no longer used.\n'
      : `Events are also signed with the old secret until ${time(until)} UTC.\n`,
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

function webhooksDeliveries(io: Io): Command {
  const command = adminCommand(
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
  const path = pathTo('webhooks', id, 'deliveries');
  const deliveries = await list<DeliveryAnswer>(connect(io), path, { status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((one) => [one.id, time(one.createdAt), one.type, ...deliveryStateCells(one)]);
  io.out(rows.length === 0 ? 'No deliveries found.\n' : table(DELIVERY_COLUMNS, rows, io.columns));
  printMore(io, deliveries);
}

function webhooksRedeliver(io: Io): Command {
  return adminCommand(
    'redeliver',
    'Deliver an event again now, even if it was delivered before',
    'webhooks redeliver dlv_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'Delivery id, from "tollgate webhooks deliveries"')
    .action((id: string, options: AdminCommandOptions) => redeliver(io, id, options));
}

async function redeliver(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryAnswer>('POST', pathTo('deliveries', id, 'redeliver'));
  if (json === true) return printJson(io, body);
  io.out(`Queued delivery ${body.id}. To see the result, run "tollgate webhooks deliveries ${body.webhookId}".\n`);
}

/** Prints the secret of a webhook. */
function printWebhookSecret(io: Io, { secret }: NewWebhookAnswer): void {
  io.out(`\n  ${secret}\n\nThe secret is shown only once. Store it now.\n`);
}

/** Formats the status: `enabled`, `failing`, or `disabled` with the reason. */
function webhookState({ status, disabledReason, failingSince }: WebhookAnswer): string {
  if (status === 'enabled') return failingSince === null ? 'enabled' : 'failing';
  return disabledReason === null || disabledReason === 'manual' ? 'disabled' : `disabled (${disabledReason})`;
}

function webhookFields(webhook: WebhookAnswer): string {
  const { id, accountId, url, description, types, disabledAt, failingSince, previousSecretUntil } = webhook;
  const utc = (at: string) => `${time(at)} UTC`;
  const optional = (name: string, at: string | null) => (at === null ? [] : [[name, utc(at)] as const]);
  return fields([
    ['id', id],
    ['account', accountId ?? 'none (operators)'],
    ['url', url],
    ['description', description === '' ? 'none' : description],
    ['types', types.join(', ')],
    ['status', webhookState(webhook)],
    ...optional('disabled', disabledAt),
    ...optional('failing since', failingSince),
    ...optional('old secret until', previousSecretUntil),
    ['created', utc(webhook.createdAt)],
  ]);
}

/** Formats an attempt, such as `responded with 500 in 12 ms`, or why there was no response. */
function attemptInWords({ status, error, durationMs }: DeliveryAnswer['attempts'][number]): string {
  return status === null
    ? `${error ?? 'no response'} after ${durationMs} ms`
    : `responded with ${status} in ${durationMs} ms`;
}

/** The cells of the columns in `DELIVERY_STATE_COLUMNS`. */
export function deliveryStateCells({ status, attempts }: DeliveryAnswer): string[] {
  const last = attempts.at(-1);
  return [status, String(attempts.length), last === undefined ? '' : attemptInWords(last)];
}
