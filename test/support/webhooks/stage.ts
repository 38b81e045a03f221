import { pino } from 'pino';
import type { ChangeContext } from '../../../src/control-plane/registry/audit-log.ts';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import type { Database } from '../../../src/storage/database.ts';
import { type Event, GATEWAY, type NewEvent } from '../../../src/control-plane/events/event.ts';
import { Events } from '../../../src/control-plane/events/events.ts';
import { createRandomId } from '../../../src/base/secrets.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { DeliveryService, type DeliveryServiceOptions } from '../../../src/control-plane/webhooks/delivery-service.ts';
import type { Delivery } from '../../../src/control-plane/webhooks/delivery.ts';
import { EventTypes } from '../../../src/control-plane/webhooks/event-types.ts';
import type { WebhookWithSecret } from '../../../src/control-plane/webhooks/webhook.ts';
import type { Webhooks } from '../../../src/control-plane/webhooks/webhooks.ts';
import type { DatabasesUnderTest } from '../../contract/webhooks/webhooks.contract.ts';
import { free, pro } from '../registry-data.ts';
import { createSender } from './sender.ts';
import { createWebhooks } from './webhooks.ts';

export const change: ChangeContext = { actor: 'ops', reason: 'agreed', at: Date.now() };

/** Event types of a test service. */
export const services = [
  { name: 'pet.created', source: 'petstore', summary: '', audience: 'everyone' },
  { name: 'pet.secret', source: 'petstore', summary: '', audience: 'operators' },
] as const;

/** Retry delays that are short, so that tests do not wait. */
const QUICK = { delays: [10, 10, 10], random: () => 0.5 };

/** An outbox, webhooks, and any number of delivery services. Closing the stage closes all of them. */
export class Stage {
  readonly database: Database;
  readonly peer: Database;
  readonly webhooks: Webhooks;
  readonly accounts: Accounts;
  readonly registry: Registry;
  readonly events: Events;
  /** The log lines of the delivery services. */
  readonly logs: string[] = [];
  readonly #closing: (() => Promise<void>)[] = [];
  readonly #made: DatabasesUnderTest;

  private constructor(made: DatabasesUnderTest) {
    const logger = pino({ level: 'silent' });
    this.#made = made;
    this.database = made.database;
    this.peer = made.peer;
    this.webhooks = createWebhooks(made.database, { services });
    this.accounts = new Accounts(made.database, logger);
    this.registry = new Registry(made.database);
    this.events = new Events(made.database, logger);
  }

  static async open(made: DatabasesUnderTest): Promise<Stage> {
    const stage = new Stage(made);
    await stage.registry.seedPlans([free, pro], change);
    return stage;
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
    await this.#made.dispose();
  }

  /** Starts a delivery service in the same way as a gateway. */
  serve(over: Partial<DeliveryServiceOptions> & { readonly database?: Database } = {}) {
    const { sender, done: closeSender } = createSender({ allowPrivate: true });
    const logger = pino({ level: 'trace' }, { write: (line: string) => void this.logs.push(line) });
    const types = new EventTypes(() => services);
    const usual = { types, sender, logger, clock: Date.now, schedule: QUICK, pollMs: 20 };
    const service = new DeliveryService(over.database ?? this.database, { ...usual, ...over });
    let closed: Promise<void> | undefined;
    const closeBoth = async (waitMs: number) => {
      await service.close(waitMs);
      await closeSender();
    };
    const close = (waitMs = 0) => (closed ??= closeBoth(waitMs));
    this.#closing.push(close);
    return { service, close };
  }

  webhook(url: string, over: { readonly types?: readonly string[]; readonly accountId?: string | null } = {}) {
    const { types = ['*'], accountId = null } = over;
    return this.webhooks.create({ url, description: '', types, accountId }, change);
  }

  async account(owner: string, plan = 'free'): Promise<string> {
    return (await this.accounts.create({ owner, name: owner, email: null, plan }, change)).id;
  }

  /**
   * Publishes events.
   *
   * @returns the ids of the events
   */
  async publish(...events: Partial<Event>[]): Promise<string[]> {
    return this.events.publish(events.map(createEvent));
  }

  async deliveries({ webhook: { id } }: WebhookWithSecret): Promise<readonly Delivery[]> {
    return (await this.webhooks.listDeliveries('operators', id, {}, { limit: 1000 })).items;
  }

  /** True if all events have been routed. */
  async isRouted(): Promise<boolean> {
    const first = await this.database.read((queries) =>
      queries.selectFrom('events').select('id').where('routed', '=', 0).executeTakeFirst(),
    );
    return first === undefined;
  }

  /** True if all events have been routed and no delivery is pending. */
  async isDone(): Promise<boolean> {
    if (!(await this.isRouted())) return false;
    const first = await this.database.read((queries) =>
      queries.selectFrom('deliveries').select('id').where('status', '=', 'pending').executeTakeFirst(),
    );
    return first === undefined;
  }
}

export function createEvent(over: Partial<Event> = {}): NewEvent {
  const about = { type: 'pet.created', subject: null, owner: null, source: 'petstore', at: change.at };
  return { id: createRandomId('evt'), ...about, data: { n: 1 }, ...over };
}

/** Creates an event of the gateway about an owner's key. */
export function createKeyEvent(owner: string, over: Partial<Event> = {}): NewEvent {
  return createEvent({ type: 'key.created', source: GATEWAY, owner, ...over });
}
