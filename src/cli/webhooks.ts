import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryAnswer, NewWebhookAnswer, WebhookAnswer } from './admin-answers.ts';
import { connect, pathTo } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, Failure, noun, REASON, type ReasonOption } from './command.ts';
import type { Io } from './io.ts';
import { printJson, time } from './output.ts';
import { fields, table } from './table.ts';

export function webhooksCommand(io: Io): Command {
  return noun(
    'webhooks',
    'who is told of events',
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
    'have events sent to a URL, and show the secret that they are signed with: this once',
    'webhooks create --url https://hooks.example.com/tollgate --types key.banned store.degraded',
    'webhooks create --url https://acme.example/hook --account acc_4C578RQ63JdXHZx3Zzi8',
  )
    .requiredOption('--url <url>', 'where they are sent')
    .option('--types <names...>', 'only events of these types; without it, all that it may see')
    .option('--description <text>', 'for people')
    .option('--account <id>', 'the account that it belongs to, which gets its own events; without it, the operators')
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
  io.out(`Webhook ${body.id} is made, for ${body.url}.\n`);
  tellWebhookSecret(io, body);
  io.out(`"tollgate webhooks test ${body.id}" sends a first event.\n`);
}

interface ListWebhooksOptions extends AdminCommandOptions, ListOptions {
  readonly account?: string;
  readonly status?: string;
}

const WEBHOOK_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'ACCOUNT', whole: true },
  { title: 'URL' },
  { title: 'TYPES' },
  { title: 'STATUS', whole: true },
];

function webhooksList(io: Io): Command {
  const command = adminCommand('list', 'list webhooks, newest first', 'webhooks list --status disabled')
    .option('--account <id>', 'only those of this account; none: only those of the operators')
    .addOption(new Option('--status <status>', 'only these').choices(['enabled', 'disabled']));
  return withListOptions(command).action((options: ListWebhooksOptions) => listWebhooks(io, options));
}

async function listWebhooks(io: Io, options: ListWebhooksOptions): Promise<void> {
  const { account, status } = options;
  const webhooks = await list<WebhookAnswer>(connect(io), '/webhooks', { account, status }, options);
  if (options.json === true) return printJson(io, webhooks);
  const rows = webhooks.items.map((webhook) => {
    const { id, accountId, url, types } = webhook;
    return [id, accountId ?? 'operators', url, types.join(' '), webhookState(webhook)];
  });
  io.out(rows.length === 0 ? 'No webhooks.\n' : table(WEBHOOK_COLUMNS, rows, io.columns));
  printMore(io, webhooks);
}

function webhooksShow(io: Io): Command {
  return adminCommand('show', 'show a webhook', 'webhooks show whk_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'the id of the webhook')
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
    what: 'send events to a disabled webhook again, first those that it did not get',
    status: 'enabled',
    done: 'is enabled, and gets what was not delivered to it',
  });
}

function webhooksDisable(io: Io): Command {
  return statusVerb(io, {
    name: 'disable',
    what: 'send nothing to a webhook: it is told of no new events, and what is not delivered yet waits',
    status: 'disabled',
    done: 'is disabled: "tollgate webhooks enable" takes that back',
  });
}

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: WebhookAnswer['status'];
  /** The webhook's new state, for the message. */
  readonly done: string;
}

/** A verb that sets the status of one webhook. */
function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
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

function webhooksDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'delete a webhook for good, with its deliveries',
    'webhooks delete whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'the id of the webhook')
    .option(...REASON)
    .action((id: string, options: AdminCommandOptions & ReasonOption) => remove(io, id, options));
}

async function remove(io: Io, id: string, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  await connect(io).call('DELETE', pathTo('webhooks', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Webhook ${id} is deleted.\n`);
}

function webhooksTest(io: Io): Command {
  return adminCommand(
    'test',
    'send an event webhook.test now, once, even to a disabled webhook; fails if it is not taken',
    'webhooks test whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'the id of the webhook')
    .action((id: string, options: AdminCommandOptions) => test(io, id, options));
}

async function test(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryAnswer>('POST', pathTo('webhooks', id, 'test'));
  if (json === true) printJson(io, body);
  const [attempt] = body.attempts;
  const how = attempt === undefined ? 'nothing is known of it' : attemptInWords(attempt);
  if (body.status !== 'delivered') throw new Failure(`the test was not taken: ${how}`);
  if (json !== true) io.out(`The test was taken: ${how}.\n`);
}

interface RotateOptions extends AdminCommandOptions, ReasonOption {
  readonly graceSeconds?: number;
}

function webhooksRotateSecret(io: Io): Command {
  return adminCommand(
    'rotate-secret',
    'replace the secret of a webhook, and show the new one: this once',
    'webhooks rotate-secret whk_4C578RQ63JdXHZx3Zzi8',
    'webhooks rotate-secret whk_4C578RQ63JdXHZx3Zzi8 --grace-seconds 0 --reason "it was in a log"',
  )
    .argument('<id>', 'the id of the webhook')
    .option('--grace-seconds <count>', 'how long the old one signs, too: a day (86400), 0, or up to 7 days', toSeconds)
    .option(...REASON)
    .action((id: string, options: RotateOptions) => rotate(io, id, options));
}

async function rotate(io: Io, id: string, { json, reason, graceSeconds }: RotateOptions): Promise<void> {
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
    'list what was delivered to a webhook, or was not, newest first; --json shows every attempt',
    'webhooks deliveries whk_4C578RQ63JdXHZx3Zzi8 --status failed',
  )
    .argument('<id>', 'the id of the webhook')
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'delivered', 'failed']));
  return withListOptions(command).action((id: string, options: DeliveriesOptions) => listDeliveries(io, id, options));
}

async function listDeliveries(io: Io, id: string, options: DeliveriesOptions): Promise<void> {
  const { status } = options;
  const path = pathTo('webhooks', id, 'deliveries');
  const deliveries = await list<DeliveryAnswer>(connect(io), path, { status }, options);
  if (options.json === true) return printJson(io, deliveries);
  const rows = deliveries.items.map((one) => [one.id, time(one.createdAt), one.type, ...deliveryStateCells(one)]);
  io.out(rows.length === 0 ? 'No deliveries.\n' : table(DELIVERY_COLUMNS, rows, io.columns));
  printMore(io, deliveries);
}

function webhooksRedeliver(io: Io): Command {
  return adminCommand(
    'redeliver',
    'deliver an event again, now, whatever became of it',
    'webhooks redeliver dlv_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'the id of the delivery: "tollgate webhooks deliveries" shows it')
    .action((id: string, options: AdminCommandOptions) => redeliver(io, id, options));
}

async function redeliver(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryAnswer>('POST', pathTo('deliveries', id, 'redeliver'));
  if (json === true) return printJson(io, body);
  io.out(`Delivery ${body.id} is due now: "tollgate webhooks deliveries ${body.webhookId}" tells how it went.\n`);
}

/** Shows the secret, which happens only this once. */
function tellWebhookSecret(io: Io, { secret }: NewWebhookAnswer): void {
  io.out(`Its secret is shown this once:\n\n  ${secret}\n\n`);
}

/** `enabled`, `failing`, or why it is disabled. */
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
    ['of', accountId ?? 'the operators'],
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

/** `answered 500 in 12 ms`, or why no answer came. */
function attemptInWords({ status, error, durationMs }: DeliveryAnswer['attempts'][number]): string {
  return status === null ? `${error ?? 'no answer'}, after ${durationMs} ms` : `answered ${status} in ${durationMs} ms`;
}

/** The cells for `DELIVERY_STATE_COLUMNS`. */
export function deliveryStateCells({ status, attempts }: DeliveryAnswer): string[] {
  const last = attempts.at(-1);
  return [status, String(attempts.length), last === undefined ? '' : attemptInWords(last)];
}
