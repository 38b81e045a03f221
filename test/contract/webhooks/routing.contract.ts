import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Audience } from '../../../src/openapi/event-type.ts';
import { gatewayEvents } from '../../../src/control-plane/events/gateway-events.ts';
import { GATEWAY } from '../../../src/control-plane/events/event.ts';
import { EventTypes } from '../../../src/control-plane/webhooks/event-types.ts';
import { routeEvents } from '../../../src/control-plane/webhooks/route-events.ts';
import { change, createEvent, services, Stage } from '../../support/webhooks/stage.ts';
import type { DatabasesUnderTest } from './webhooks.contract.ts';

const OWNERS = ['acme', 'Acme', 'globex', 'initech', ''] as const;
const PLANS = ['free', 'pro'] as const;
const TYPES: readonly { readonly type: string; readonly source: string; readonly audience: Audience }[] = [
  ...Object.entries(gatewayEvents).map(([type, { audience }]) => ({ type, source: GATEWAY, audience })),
  ...services.map(({ name, source, audience }) => ({ type: name, source, audience })),
  // Events of a type that is in no document go to operators only.
  { type: 'pet.forgotten', source: 'petstore', audience: 'operators' },
  { type: 'key.created', source: 'petstore', audience: 'operators' },
  { type: 'pet.created', source: GATEWAY, audience: 'operators' },
];

const webhook = fc.record({
  /** The index of the webhook's account. Null: the webhook belongs to the operators. */
  account: fc.option(fc.nat({ max: 3 }), { nil: null }),
  types: fc.oneof(
    fc.constant(['*']),
    fc.subarray(
      TYPES.map(({ type }) => type),
      { minLength: 1, maxLength: 6 },
    ),
  ),
  status: fc.constantFrom('enabled', 'enabled', 'enabled', 'disabled'),
});
const event = fc.record({
  of: fc.constantFrom(...TYPES),
  owner: fc.constantFrom(null, ...OWNERS),
  subject: fc.constantFrom(null, ...PLANS, ...OWNERS),
});
const world = fc.record({
  plans: fc.array(fc.constantFrom(...PLANS), { minLength: 4, maxLength: 4 }),
  deleted: fc.option(fc.nat({ max: 3 }), { nil: null }),
  webhooks: fc.array(webhook, { minLength: 1, maxLength: 12 }),
  events: fc.array(event, { minLength: 1, maxLength: 20 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Declares the requirements for which webhooks receive which events. */
export function routingContract(name: string, make: () => Promise<DatabasesUnderTest>, numRuns: number): void {
  describe(`with ${name},`, () => {
    test('every subscriber receives its events once, and no events of another owner', async () => {
      await fc.assert(fc.asyncProperty(world, holds(make)), { numRuns });
    });

    test('many events are routed to all subscribers only once, even by two gateways', async () => {
      const stage = await Stage.open(await make());
      for (let index = 0; index < 30; index++) await stage.webhook(`https://example.com/${index}`);
      await stage.events.publish(Array.from({ length: 500 }, () => createEvent()));
      const types = new EventTypes(() => services);
      const route = async (database: typeof stage.database) => {
        for (let more = true; more;) more = (await routeEvents(database, types)).hasMore;
      };
      await Promise.all([route(stage.database), route(stage.peer), route(stage.database)]);
      await route(stage.database);
      const rows = await stage.database.read((queries) => queries.selectFrom('deliveries').selectAll().execute());
      expect(new Set(rows.map((row) => `${row.event_id} ${row.webhook_id}`)).size).toBe(500 * 30);
      expect(rows).toHaveLength(500 * 30);
      expect(await stage.isRouted()).toBe(true);
      await stage.close();
    });

    test('the deliveries of an event are listed newest first, and can be filtered by status', async () => {
      const stage = await Stage.open(await make());
      const made = [];
      for (const types of [['*'], ['pet.created'], ['pet.created', 'key.created'], ['key.created']]) {
        made.push(await stage.webhook('https://example.com/', { types }));
      }
      const [event, other] = await stage.publish({ type: 'pet.created' }, { type: 'pet.created' });
      while ((await routeEvents(stage.database, new EventTypes(() => services))).hasMore);
      const list = (id: string, limit: number, over: { status?: 'pending' | 'delivered'; cursor?: string } = {}) =>
        stage.webhooks.listEventDeliveries(id, { status: over.status }, { limit, cursor: over.cursor });
      const all = await list(event!, 10);
      expect(all.items.every(({ eventId, status }) => eventId === event && status === 'pending')).toBe(true);
      expect(all.items.map(({ webhookId }) => webhookId).sort()).toEqual(
        made
          .slice(0, 3)
          .map(({ webhook: { id } }) => id)
          .sort(),
      );
      const first = await list(event!, 2);
      const rest = await list(event!, 2, { cursor: first.nextCursor! });
      expect([...first.items, ...rest.items]).toEqual(all.items);
      expect(rest.nextCursor).toBeNull();
      expect((await list(other!, 10)).items).toHaveLength(3);
      expect((await list(event!, 10, { status: 'delivered' })).items).toEqual([]);
      expect(await list('evt_none', 10)).toEqual({ items: [], nextCursor: null });
      await stage.close();
    });
  });
}

function holds(make: () => Promise<DatabasesUnderTest>) {
  return async function routes({ plans, deleted, webhooks, events }: World): Promise<void> {
    const stage = await Stage.open(await make());
    try {
      const accounts = await Promise.all(plans.map((plan, index) => stage.account(OWNERS[index]!, plan)));
      const hooks = await insertWebhooks(stage, webhooks, accounts);
      if (deleted !== null) await stage.accounts.delete(accounts[deleted]!, change);
      const made = events.map(({ of: { type, source }, owner, subject }) =>
        createEvent({ type, source, owner, subject }),
      );
      await stage.events.publish(made);
      while ((await routeEvents(stage.database, new EventTypes(() => services))).hasMore);
      const rows = await stage.database.read((queries) => queries.selectFrom('deliveries').selectAll().execute());
      const actual = rows.map((row) => [row.event_id, row.webhook_id].join(' ')).sort();
      const expected = events.flatMap((one, at) =>
        webhooks.flatMap((hook, index) => {
          const isGone = hook.account !== null && hook.account === deleted;
          const owner = hook.account === null ? null : OWNERS[hook.account]!;
          const plan = hook.account === null ? null : plans[hook.account]!;
          const isExpected = !isGone && hook.status === 'enabled' && isMeantFor(one, hook.types, owner, plan);
          return isExpected ? [[made[at]!.id, hooks[index]].join(' ')] : [];
        }),
      );
      expect(actual).toEqual(expected.sort());
    } finally {
      await stage.close();
    }
  };
}

/**
 * Decides independently whether a webhook receives an event. `owner` and `plan` are those of the webhook's account, or
 * null for webhooks of the operators.
 */
function isMeantFor(
  { of: { type, audience }, owner: eventOwner, subject }: World['events'][number],
  types: readonly string[],
  owner: string | null,
  plan: string | null,
): boolean {
  if (types[0] !== '*' && !types.includes(type)) return false;
  if (owner === null) return true;
  if (audience === 'operators') return false;
  if (eventOwner !== null) return eventOwner === owner;
  return audience === 'everyone' || (audience === 'plan' && subject === plan);
}

/**
 * Inserts webhooks without checking their types, because an account may have subscribed to a type that it may no longer
 * see.
 */
async function insertWebhooks(
  stage: Stage,
  webhooks: World['webhooks'],
  accounts: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { account, types, status } of webhooks) {
    const accountId = account === null ? null : accounts[account]!;
    // The webhook is created for the operators and moved to the account, because the number of webhooks per account is
    // limited.
    const { id } = (await stage.webhook('https://example.com/', { accountId: null })).webhook;
    const set = { account_id: accountId, types: JSON.stringify(types), status };
    await stage.database.transaction((tx) => tx.updateTable('webhooks').set(set).where('id', '=', id).execute());
    ids.push(id);
  }
  return ids;
}
