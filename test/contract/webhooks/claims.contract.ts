import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/storage/database.ts';
import { readBacklog, sweepDeliveries } from '../../../src/control-plane/webhooks/delivery-service.ts';
import { claim, type ClaimedDelivery, LEASE_MS } from '../../../src/control-plane/webhooks/claim.ts';
import { recordOutcomes } from '../../../src/control-plane/webhooks/outcome-writer.ts';
import { EventTypes } from '../../../src/control-plane/webhooks/event-types.ts';
import { routeEvents } from '../../../src/control-plane/webhooks/route-events.ts';
import type { Outcome } from '../../../src/control-plane/webhooks/sender.ts';
import { Endpoint } from '../../support/webhooks/endpoint.ts';
import { until } from '../../support/until.ts';
import { change, createEvent, services, Stage } from '../../support/webhooks/stage.ts';
import { ARRIVED } from '../../support/webhooks/webhooks.ts';
import type { DatabasesUnderTest } from './webhooks.contract.ts';

const URL = 'https://hooks.example.com/';
const CLAIMS = { perWebhook: 3, perFailingWebhook: 1, leaseMs: LEASE_MS };
const FAILED: Outcome = { ...ARRIVED, status: 500, answer: 'no' };
const settings = { schedule: { delays: [1000], random: () => 0.5 }, disableAfterMs: 1e9, clock: Date.now };

let stage: Stage;

/** Declares the requirements for how gateways share pending deliveries. */
export function claimsContract(name: string, make: () => Promise<DatabasesUnderTest>): void {
  describe(`with ${name},`, () => {
    beforeEach(async () => {
      stage = await Stage.open(await make());
    });
    afterEach(() => stage.close());

    describe('claims of deliveries', claimTests);
    describe('leases of deliveries', leaseTests);
    describe('pending deliveries', backlogTests);
    describe('the clean-up of deliveries', sweepTests);
  });
}

const take = (database: Database, limit = 100, except: string[] = []) =>
  claim(database, CLAIMS, { limits: { working: limit, slow: limit, failing: limit }, slowWebhooks: [], except });
const record = (claimed: ClaimedDelivery, outcome: Outcome) =>
  recordOutcomes(stage.database, settings, [{ claimed, outcome }]);
/** Expires all leases, as if the gateways that own them had crashed. */
async function expireLeases(): Promise<void> {
  const now = Date.now();
  await stage.database.transaction((tx) => tx.updateTable('deliveries').set({ leased_until: 1, due_at: 1 }).execute());
  // Wait, so that the next lease of a delivery ends at another time.
  await until(() => Date.now() > now + 1);
}

async function publish(count: number): Promise<void> {
  await stage.events.publish(Array.from({ length: count }, () => createEvent()));
  const types = new EventTypes(() => services);
  while ((await routeEvents(stage.database, types)).hasMore);
}

/**
 * Publishes events to ten webhooks that have more deliveries than a claim reads at first, and then one event to another
 * webhook.
 */
async function publishToBusyWebhooks(): Promise<{ readonly busy: string[]; readonly last: string }> {
  const busy: string[] = [];
  for (let count = 0; count < 10; count++) busy.push((await stage.webhook(URL)).webhook.id);
  await publish(25);
  const last = (await stage.webhook(URL)).webhook.id;
  await publish(1);
  return { busy, last };
}

function claimTests(): void {
  test("do not exceed a webhook's concurrency limit over all gateways", async () => {
    const [one, other] = [await stage.webhook(URL), await stage.webhook(URL)];
    await publish(10);
    const first = await take(stage.database);
    expect(first.map(({ webhookId }) => webhookId).sort()).toEqual(
      [one, other].flatMap(({ webhook: { id } }) => [id, id, id]).sort(),
    );
    expect(await take(stage.peer)).toEqual([]);
    await record(first[0]!, ARRIVED);
    const next = await take(stage.peer);
    expect(next.map(({ webhookId }) => webhookId)).toEqual([first[0]!.webhookId]);
    expect(new Set([...first, ...next].map(({ id }) => id)).size).toBe(7);
  });

  test('by many gateways take each delivery once', async () => {
    for (let count = 0; count < 5; count++) await stage.webhook(URL);
    await publish(20);
    const taken: ClaimedDelivery[] = [];
    for (let round = 0; taken.length < 100; round++) {
      expect(round).toBeLessThan(100);
      const both = await Promise.all([stage.database, stage.peer].flatMap((each) => [take(each), take(each)]));
      for (const each of both.flat()) {
        taken.push(each);
        await record(each, ARRIVED);
      }
    }
    expect(new Set(taken.map(({ id }) => id)).size).toBe(100);
    expect(await stage.isDone()).toBe(true);
  });

  test('divide the capacity among webhooks', async () => {
    for (let count = 0; count < 4; count++) await stage.webhook(URL);
    await publish(9);
    const taken = await take(stage.database, 4);
    expect(new Set(taken.map(({ webhookId }) => webhookId)).size).toBe(4);
  });

  test('take the delivery that has waited longest first', async () => {
    const hooks = [await stage.webhook(URL), await stage.webhook(URL), await stage.webhook(URL)];
    await publish(1);
    for (const [index, { webhook }] of hooks.entries()) {
      const due = stage.database.transaction((tx) =>
        tx
          .updateTable('deliveries')
          .set({ due_at: 100 - index })
          .where('webhook_id', '=', webhook.id)
          .execute(),
      );
      await due;
    }
    const [first] = await take(stage.database, 1);
    expect(first!.webhookId).toBe(hooks[2]!.webhook.id);
  });

  test('are limited to one at a time for a failing webhook', async () => {
    const { webhook } = await stage.webhook(URL);
    await publish(5);
    const [first] = await take(stage.database, 1);
    await record(first!, FAILED);
    expect((await stage.webhooks.get('operators', webhook.id))!.failingSince).not.toBeNull();
    expect(await take(stage.database)).toHaveLength(1);
  });

  test('give every failing webhook its turn, even if others have more old deliveries', async () => {
    const { busy: hanging, last: recovered } = await publishToBusyWebhooks();
    await stage.database.transaction(async (tx) => {
      await tx.updateTable('deliveries').set({ due_at: 1 }).where('webhook_id', 'in', hanging).execute();
      await tx.updateTable('webhooks').set({ failing_since: 1 }).execute();
    });
    const limits = { working: 1, slow: 1, failing: 1 };
    const claimOne = () => claim(stage.database, CLAIMS, { limits, slowWebhooks: [], except: [] });
    let [claimed] = await claimOne();
    for (let turn = 1; turn < 240 && claimed!.webhookId !== recovered; turn++) {
      await record(claimed!, FAILED);
      [claimed] = await claimOne();
    }
    expect(claimed!.webhookId).toBe(recovered);
  });

  test('do not let failing webhooks take the slots of webhooks that are only slow', async () => {
    const { busy: failing, last: slow } = await publishToBusyWebhooks();
    await stage.database.transaction((tx) =>
      tx.updateTable('webhooks').set({ failing_since: 1 }).where('id', 'in', failing).execute(),
    );
    const limits = { working: 1, slow: 1, failing: 0 };
    const [claimed] = await claim(stage.database, CLAIMS, { limits, slowWebhooks: [failing[0]!, slow], except: [] });
    expect(claimed).toMatchObject({ webhookId: slow, standing: 'slow' });
  });

  test('skip the webhooks that are listed as busy', async () => {
    const [slow, quick] = [await stage.webhook(URL), await stage.webhook(URL)];
    await publish(1);
    const taken = await take(stage.database, 100, [slow.webhook.id, 'whk_other']);
    expect(taken.map(({ webhookId }) => webhookId)).toEqual([quick.webhook.id]);
  });

  test('take only deliveries that are due', async () => {
    await stage.webhook(URL);
    await publish(2);
    const later = Date.now() + 3_600_000;
    await stage.database.transaction((tx) => tx.updateTable('deliveries').set({ due_at: later }).execute());
    expect(await take(stage.database)).toEqual([]);
  });
}

function leaseTests(): void {
  test('of a gateway that died are taken over when they expire', async () => {
    await stage.webhook(URL);
    await publish(1);
    const [dead] = await take(stage.database);
    expect(dead!.leasedUntil).toBeGreaterThan(Date.now() + LEASE_MS - 10_000);
    expect(await take(stage.peer)).toEqual([]);
    await expireLeases();
    const [alive] = await take(stage.peer);
    expect(alive).toMatchObject({ id: dead!.id, attempts: 0 });
    expect(alive!.leasedUntil).not.toBe(dead!.leasedUntil);
  });

  test('that expired do not let a late failure count, because another gateway may be sending', async () => {
    const hook = await stage.webhook(URL);
    await publish(1);
    const [late] = await take(stage.database);
    await expireLeases();
    const [current] = await take(stage.peer);
    await record(late!, FAILED);
    expect((await stage.deliveries(hook))[0]).toMatchObject({ status: 'pending', attempts: [] });
    expect((await stage.webhooks.get('operators', hook.webhook.id))!.failingSince).toBeNull();
    expect(await take(stage.database)).toEqual([]);
    await record(current!, ARRIVED);
    expect((await stage.deliveries(hook))[0]).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }] });
  });

  test('that expired still let a late success count', async () => {
    const hook = await stage.webhook(URL);
    await publish(1);
    const [late] = await take(stage.database);
    await expireLeases();
    const [current] = await take(stage.peer);
    await record(late!, ARRIVED);
    await record(current!, FAILED);
    expect((await stage.deliveries(hook))[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] });
    expect(await take(stage.database)).toEqual([]);
  });

  test('that expired still let a late success count, even if the delivery was given up', async () => {
    const hook = await stage.webhook(URL);
    await publish(1);
    const [late] = await take(stage.database);
    await expireLeases();
    const [current] = await take(stage.peer);
    const last = { ...settings, schedule: { ...settings.schedule, delays: [] } };
    await recordOutcomes(stage.database, last, [{ claimed: current!, outcome: FAILED }]);
    expect((await stage.deliveries(hook))[0]).toMatchObject({ status: 'failed' });
    await record(late!, ARRIVED);
    const [delivery] = await stage.deliveries(hook);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 500 }, { status: 204 }] });
  });

  test('are released by a gateway that stops, and another gateway sends the events immediately', async () => {
    const endpoint = await Endpoint.start(() => {});
    await stage.webhook(endpoint.url);
    await publish(2);
    const { service, close } = stage.serve();
    await until(() => endpoint.requests.length === 2);
    expect(service.inFlight).toBe(2);
    await close();
    endpoint.respond = (_, res) => res.writeHead(204).end();
    stage.serve({ database: stage.peer });
    await until(() => stage.isDone());
    expect(endpoint.requests).toHaveLength(4);
    await endpoint.stop();
  });

  test('are kept by a stopping gateway that finishes in time, but it claims nothing new', async () => {
    let isStopping = false;
    const endpoint = await Endpoint.start((_, res) => {
      isStopping = true;
      res.writeHead(204).end();
    });
    const hook = await stage.webhook(endpoint.url);
    await publish(5);
    const { close } = stage.serve({ isStopping: () => isStopping, claims: { ...CLAIMS, perWebhook: 1 } });
    await until(() => isStopping);
    await close(5000);
    const states = (await stage.deliveries(hook)).map(({ status }) => status).sort();
    expect(states).toEqual(['delivered', 'pending', 'pending', 'pending', 'pending']);
    expect(endpoint.requests).toHaveLength(1);
    await endpoint.stop();
  });

  test('are released if the gateway begins to stop during the claim', async () => {
    const endpoint = await Endpoint.start();
    await stage.webhook(endpoint.url);
    await publish(5);
    let asked = 0;
    const { close } = stage.serve({ isStopping: () => asked++ > 0 });
    await until(() => asked > 2);
    await close();
    expect(endpoint.requests).toEqual([]);
    expect(await take(stage.peer)).toHaveLength(CLAIMS.perWebhook);
    await endpoint.stop();
  });

  test('with a result that cannot be written do not discard the results of others', async () => {
    const endpoint = await Endpoint.start();
    const hook = await stage.webhook(endpoint.url);
    await publish(3);
    let sent = 0;
    const sender = { send: async () => ({ ...ARRIVED, durationMs: sent++ === 0 ? NaN : 1 }) };
    const { close } = stage.serve({ sender });
    await until(() => stage.logs.some((line) => line.includes('cannot be written')));
    await until(async () => (await stage.deliveries(hook)).filter(({ status }) => status === 'delivered').length === 2);
    await close();
    await endpoint.stop();
  });
}

function backlogTests(): void {
  test('are counted, and so is their lag', async () => {
    const [hook, failing] = [await stage.webhook(URL), await stage.webhook(URL)];
    expect(await readBacklog(stage.database)).toEqual({ pending: 0, lagMs: 0 });
    await publish(2);
    const set = (webhookId: string, dueAt: number) =>
      stage.database.transaction((tx) =>
        tx.updateTable('deliveries').set({ due_at: dueAt }).where('webhook_id', '=', webhookId).execute(),
      );
    await set(hook.webhook.id, Date.now() + 60_000);
    await set(failing.webhook.id, Date.now() + 60_000);
    expect(await readBacklog(stage.peer)).toEqual({ pending: 4, lagMs: 0 });
    await set(failing.webhook.id, Date.now() - 3_600_000);
    const lag = async () => Math.round((await readBacklog(stage.database)).lagMs / 60_000);
    expect(await lag()).toBe(60);
    // The deliveries of a failing webhook do not count as lag.
    const failingSince = { failing_since: 1 };
    await stage.database.transaction((tx) =>
      tx.updateTable('webhooks').set(failingSince).where('id', '=', failing.webhook.id).execute(),
    );
    expect(await lag()).toBe(0);
    await set(hook.webhook.id, Date.now() - 120_000);
    expect(await lag()).toBe(2);
  });
}

function sweepTests(): void {
  const sweepAll = async () => {
    while (await sweepDeliveries(stage.database));
  };
  const count = (table: 'deliveries' | 'delivery_attempts') =>
    stage.database.read(async (queries) => (await queries.selectFrom(table).selectAll().execute()).length);

  test('deletes those of a deleted webhook and no others', async () => {
    const [gone, kept] = [await stage.webhook(URL), await stage.webhook(URL)];
    await publish(700);
    for (const claimed of await take(stage.database)) await record(claimed, ARRIVED);
    await stage.webhooks.delete('operators', gone.webhook.id, change);
    expect(await take(stage.database)).toHaveLength(3);
    await sweepAll();
    expect([await count('deliveries'), await count('delivery_attempts')]).toEqual([700, 3]);
    expect(await stage.deliveries(kept)).toHaveLength(700);
  });

  test('keeps those of an existing webhook, however old they are', async () => {
    const hook = await stage.webhook(URL);
    await publish(2);
    await stage.database.transaction((tx) => tx.updateTable('deliveries').set({ created_at: 1 }).execute());
    await sweepAll();
    expect(await stage.deliveries(hook)).toHaveLength(2);
  });
}
