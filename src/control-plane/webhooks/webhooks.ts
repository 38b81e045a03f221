import { RegistryError } from '../../domain/registry-error.ts';
import type { Page, PageRequest } from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import type { ChangeContext } from '../registry/audit-log.ts';
import { makeChange, type WriteContext } from '../registry/write-context.ts';
import {
  type Delivery,
  type DeliveryFilter,
  listDeliveries,
  redeliver,
  type SentRequest,
  readSentRequest,
} from './delivery.ts';
import type { UrlRules } from './address-rules.ts';
import type { Sender } from './sender.ts';
import { sendTestEvent } from './send-test-event.ts';
import type { EventTypes } from './event-types.ts';
import type {
  NewWebhook,
  Viewer,
  Webhook,
  WebhookFilter,
  WebhookOptions,
  WebhookOrder,
  WebhookPatch,
  WebhookWithSecret,
} from './webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  updateWebhook,
  createWebhookNotFoundError,
} from './webhook-changes.ts';
import { listWebhooks, findWebhook } from './webhook-rows.ts';

/** Maximum number of tests in progress at this gateway, because each test may take as long as an attempt. */
const MAX_TESTS = 16;

const NEWEST_FIRST: WebhookOrder = { by: 'createdAt', descending: true };

interface WebhooksDependencies {
  readonly types: EventTypes;
  /** Where webhooks may be sent. */
  readonly addresses: Pick<UrlRules, 'check'>;
  readonly sender: Sender;
}

/**
 * The webhooks of operators and accounts.
 *
 * As in `Registry`: every change is atomic and is written together with its audit entry; an invalid request is rejected
 * with a `RegistryError` and changes nothing; while the database is unavailable, calls are rejected with
 * `StoreUnavailable`. A webhook that the viewer may not see is treated as if it did not exist.
 */
export class Webhooks {
  readonly types: EventTypes;
  readonly #database: Database;
  readonly #addresses: WebhooksDependencies['addresses'];
  readonly #sender: Sender;
  #testsInProgress = 0;

  constructor(database: Database, { types, addresses, sender }: WebhooksDependencies) {
    this.#database = database;
    this.types = types;
    this.#addresses = addresses;
    this.#sender = sender;
  }

  /**
   * Creates a webhook. Refused with `event_type_unknown`, `webhook_address_not_allowed`, `account_not_found` and
   * `too_many_webhooks`.
   *
   * @returns the webhook with its secret; the secret is shown only this once
   */
  async create(newWebhook: NewWebhook, change: ChangeContext): Promise<WebhookWithSecret> {
    const types = this.types.checkTypes(newWebhook.types, newWebhook.accountId);
    const url = await this.#addresses.check(newWebhook.url);
    return this.#change(change, (context) => createWebhook(context, { ...newWebhook, types, url }));
  }

  get(viewer: Viewer, id: string): Promise<Webhook | null> {
    return this.#database.read((queries) => findWebhook(queries, viewer, id));
  }

  /**
   * A webhook that exists during the whole listing appears on exactly one page, unless its sort value changes
   * meanwhile.
   */
  list(
    viewer: Viewer,
    filter: WebhookFilter,
    page: PageRequest,
    order: WebhookOrder = NEWEST_FIRST,
  ): Promise<Page<Webhook>> {
    return this.#database.read((queries) => listWebhooks(queries, viewer, filter, page, order));
  }

  /**
   * Updates a webhook. Disabling it keeps undelivered events. Enabling it sends these events, and resets its failures.
   * Refused with `webhook_not_found`, `conflict` (revision), `event_type_unknown` and `webhook_address_not_allowed`.
   */
  async update(
    viewer: Viewer,
    id: string,
    requestedPatch: WebhookPatch,
    change: ChangeContext,
    options: WebhookOptions = {},
  ): Promise<Webhook> {
    const { accountId } = await this.#requireWebhook(viewer, id);
    const types =
      requestedPatch.types === undefined ? {} : { types: this.types.checkTypes(requestedPatch.types, accountId) };
    const url = requestedPatch.url === undefined ? {} : { url: await this.#addresses.check(requestedPatch.url) };
    const patch = { ...requestedPatch, ...types, ...url };
    return this.#change(change, (context) => updateWebhook(context, viewer, id, patch, options));
  }

  /**
   * Deletes a webhook and its deliveries. Nothing more is sent to it. Refused with `webhook_not_found` and `conflict`.
   */
  delete(viewer: Viewer, id: string, change: ChangeContext, options: WebhookOptions = {}): Promise<void> {
    return this.#change(change, (context) => deleteWebhook(context, viewer, id, options));
  }

  /**
   * Creates a new secret. During the grace period, messages are signed with both secrets. Refused with
   * `webhook_not_found` and `conflict`.
   *
   * @param graceMs 0: the old secret is no longer used at all, for example because it has leaked
   * @returns the webhook with the new secret; the secret is shown only this once
   */
  rotateSecret(
    viewer: Viewer,
    id: string,
    graceMs: number,
    change: ChangeContext,
    options: WebhookOptions = {},
  ): Promise<WebhookWithSecret> {
    return this.#change(change, (context) => rotateSecret(context, viewer, id, graceMs, options));
  }

  /**
   * Sends an event `webhook.test` now, a single time, even if the webhook is disabled. Refused with
   * `webhook_not_found`, and `too_many_calls` if too many tests are in progress.
   *
   * @param now ms since the Unix epoch
   */
  async test(viewer: Viewer, id: string, now: number): Promise<Delivery> {
    if (this.#testsInProgress === MAX_TESTS) {
      throw new RegistryError('too_many_calls', 'too many webhook tests are in progress: wait until one has finished');
    }
    this.#testsInProgress += 1;
    try {
      return await sendTestEvent(this.#database, this.#sender, { viewer, id, now });
    } finally {
      this.#testsInProgress -= 1;
    }
  }

  /**
   * Lists the deliveries of a webhook with their attempts, newest first. Deliveries are stored as long as their events.
   * Refused with `webhook_not_found`.
   */
  async listDeliveries(viewer: Viewer, id: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>> {
    await this.#requireWebhook(viewer, id);
    return this.#database.read((queries) => listDeliveries(queries, { webhook_id: id }, filter, page));
  }

  /** All deliveries of one event, newest first; none if the event does not exist (anymore). For operators only. */
  listEventDeliveries(eventId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>> {
    return this.#database.read((queries) => listDeliveries(queries, { event_id: eventId }, filter, page));
  }

  /**
   * Makes a delivery due now, whatever its status. Refused with `delivery_not_found`, and `conflict` if the webhook is
   * disabled.
   */
  redeliver(viewer: Viewer, id: string): Promise<Delivery> {
    const { dialect } = this.#database;
    return this.#database.transaction((tx, announce) => redeliver({ tx, announce, dialect }, viewer, id));
  }

  /**
   * Reads the request that a delivery sends.
   *
   * @throws RegistryError `delivery_not_found` (as a rejection)
   */
  readSentRequest(viewer: Viewer, id: string): Promise<SentRequest> {
    return this.#database.read((queries) => readSentRequest(queries, viewer, id));
  }

  async #requireWebhook(viewer: Viewer, id: string): Promise<Webhook> {
    const webhook = await this.get(viewer, id);
    if (webhook === null) throw createWebhookNotFoundError(id);
    return webhook;
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}
