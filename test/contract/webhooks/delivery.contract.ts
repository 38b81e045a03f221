import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Endpoint } from '../../support/webhooks/endpoint.ts';
import { until } from '../../support/until.ts';
import { change, createKeyEvent, Stage } from '../../support/webhooks/stage.ts';
import type { DatabasesUnderTest } from './webhooks.contract.ts';

const HOUR = 3_600_000;

let stage: Stage;
let endpoint: Endpoint;
let other: Endpoint;

/** Declares the requirements for delivery, which every database must meet. */
export function deliveryContract(name: string, make: () => Promise<DatabasesUnderTest>): void {
  describe(`with ${name},`, () => {
    beforeEach(async () => {
      stage = await Stage.open(await make());
      [endpoint, other] = [await Endpoint.start(), await Endpoint.start()];
    });
    afterEach(async () => {
      await stage.close();
      await Promise.all([endpoint.stop(), other.stop()]);
    });

    describe('an event', eventTests);
    describe('a failed attempt to deliver an event', failureTests);
    describe('a webhook', healthTests);
  });
}

const done = () => until(() => stage.isDone());

function eventTests(): void {
  test('is delivered to its subscribers, signed and unchanged', async () => {
    const all = await stage.webhook(endpoint.url);
    await stage.webhook(other.url, { types: ['key.created'] });
    const data = JSON.parse('{"id":1,"text":"\\u2028 ünïcode","nested":{"list":[1.5,null,true]}}') as object;
    const [id] = await stage.publish({ type: 'pet.created', data: { ...data } });
    stage.serve();
    await done();
    expect(other.requests).toEqual([]);
    const [request, ...more] = endpoint.requests;
    expect(more).toEqual([]);
    expect(new Webhook(all.secret).verify(request!.body, request!.headers)).toEqual({
      type: 'pet.created',
      timestamp: new Date(change.at).toISOString(),
      data,
    });
    expect(request!.headers['webhook-id']).toBe(id);
    expect(Number(request!.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(Math.floor(change.at / 1000));
    const [delivery] = await stage.deliveries(all);
    expect(delivery).toMatchObject({ eventId: id, type: 'pet.created', status: 'delivered', dueAt: null });
    expect(delivery!.attempts).toMatchObject([{ number: 1, status: 204, error: null, answer: '' }]);
    expect(delivery!.endedAt).toBeGreaterThanOrEqual(delivery!.createdAt);
  });

  test('keeps all digits of large and exact numbers', async () => {
    await stage.webhook(endpoint.url);
    const [id] = await stage.publish({});
    const text = '{"id":9007199254740993,"small":1.10,"also":1e400}';
    await stage.database.transaction((tx) =>
      tx.updateTable('events').set({ data: text }).where('id', '=', id!).execute(),
    );
    stage.serve();
    await done();
    expect(endpoint.requests[0]!.body.endsWith(`,"data":${text}}`)).toBe(true);
  });

  // The reason, which operators write for each other, was once sent to the customer.
  test('about a ban has a message for an account, and a reason only for operators', async () => {
    const accountId = await stage.account('acme');
    const [theirs, ours] = [await stage.webhook(endpoint.url, { accountId }), await stage.webhook(other.url)];
    const ban = { keyId: 'key_1', quotaId: 'key_1', level: 0 };
    const data = [
      ['key.banned', { ...ban, manual: true, reason: 'scraping', message: 'Slow down.' }],
      ['key.banned', { ...ban, manual: false, reason: '10 calls', message: '10 calls' }],
      // The event comes from a gateway that did not support messages yet.
      ['key.banned', { ...ban, manual: true, reason: 'scraping' }],
      ['key.banned', { ...ban, manual: false, reason: '10 calls' }],
      // An operator has lifted an automatic ban.
      ['key.unbanned', { ...ban, manual: false, reason: 'they called' }],
    ] as const;
    await stage.events.publish(data.map(([type, each]) => createKeyEvent('acme', { type, data: each })));
    stage.serve();
    await done();
    const received = (one: Endpoint) =>
      one.requests.map(({ body }) => (JSON.parse(body) as { data: object }).data).toSorted(byText);
    const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    const messages = ['Slow down.', '10 calls', null, '10 calls', null];
    const expected = data.map(([, each], index) => ({ ...each, reason: null, message: messages[index] }));
    expect(received(endpoint)).toEqual(expected.toSorted(byText));
    expect(received(other)).toEqual(data.map(([, each]) => each).toSorted(byText));
    // A delivery shows its request exactly as it was sent.
    for (const [hook, isSeen] of [
      [theirs, false],
      [ours, true],
    ] as const) {
      const requests = await Promise.all(
        (await stage.deliveries(hook)).map(({ id }) => stage.webhooks.readSentRequest('operators', id)),
      );
      expect(requests.some(({ body }) => /scraping|they called/.test(body))).toBe(isSeen);
    }
  });

  test('that is published while the gateway runs is delivered immediately', async () => {
    await stage.webhook(endpoint.url);
    stage.serve({ pollMs: 60_000 });
    await until(() => stage.isDone());
    await stage.publish({}, {}, {});
    // The events must arrive long before the next poll.
    await until(() => endpoint.requests.length === 3);
  });

  test('is not sent to a disabled webhook, and earlier undelivered events wait', async () => {
    const hook = await stage.webhook(endpoint.url);
    const { id } = hook.webhook;
    const [first] = await stage.publish({});
    endpoint.respond = (_, res) => res.writeHead(500).end();
    const { close } = stage.serve({ schedule: { delays: [0, HOUR], random: () => 0.5 } });
    await until(() => endpoint.requests.length === 2);
    await stage.webhooks.update('operators', id, { status: 'disabled' }, change);
    await stage.publish({});
    await close();
    endpoint.respond = (_, res) => res.writeHead(200).end();
    await stage.database.transaction((tx) => tx.updateTable('deliveries').set({ due_at: 0 }).execute());
    stage.serve();
    await stage.publish({});
    await until(() => stage.isRouted());
    expect(endpoint.requests).toHaveLength(2);
    await stage.webhooks.update('operators', id, { status: 'enabled' }, change);
    await until(() => endpoint.requests.length === 3);
    await done();
    expect((await stage.deliveries(hook)).map(({ eventId }) => eventId)).toEqual([first]);
  });

  test('carries two signatures while a secret is being replaced', async () => {
    const { webhook, secret } = await stage.webhook(endpoint.url);
    const rotated = await stage.webhooks.rotateSecret('operators', webhook.id, HOUR, { ...change, at: Date.now() });
    await stage.publish({});
    stage.serve();
    await done();
    const [{ body, headers }] = endpoint.requests as [(typeof endpoint.requests)[0]];
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(body, headers);
    await stage.webhooks.rotateSecret('operators', webhook.id, HOUR, { ...change, at: Date.now() - 2 * HOUR });
    await stage.publish({});
    await until(() => endpoint.requests.length === 2);
    expect(endpoint.requests[1]!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  });

  test('can be delivered again, whatever its status', async () => {
    const hook = await stage.webhook(endpoint.url);
    await stage.publish({});
    stage.serve();
    await done();
    const { id } = (await stage.deliveries(hook))[0]!;
    const due = await stage.webhooks.redeliver('operators', id);
    expect(due).toMatchObject({ status: 'pending', endedAt: null });
    await until(() => endpoint.requests.length === 2);
    await done();
    const [again] = await stage.deliveries(hook);
    expect(again).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }, { number: 2 }] });
    expect(endpoint.requests[1]!.headers['webhook-id']).toBe(endpoint.requests[0]!.headers['webhook-id']);
    const accountId = await stage.account('acme');
    const notFound = expect.objectContaining({ code: 'delivery_not_found' });
    await expect(stage.webhooks.redeliver({ accountId }, id)).rejects.toEqual(notFound);
    await stage.webhooks.delete('operators', hook.webhook.id, change);
    await expect(stage.webhooks.redeliver('operators', id)).rejects.toEqual(notFound);
  });

  // The receiver could once have an event sent again endlessly, and every attempt was kept.
  test('keeps its last 50 attempts, however often it is delivered again', async () => {
    const hook = await stage.webhook(endpoint.url);
    await stage.publish({});
    stage.serve();
    await done();
    const { id } = (await stage.deliveries(hook))[0]!;
    const past = { delivery_id: id, at: change.at, duration_ms: 1, status: 204, error: null, answer: '' };
    const attempts = Array.from({ length: 69 }, (_, index) => ({ ...past, number: index + 2 }));
    await stage.database.transaction(async (tx) => {
      await tx.insertInto('delivery_attempts').values(attempts).execute();
      await tx.updateTable('deliveries').set({ attempts: 70 }).where('id', '=', id).execute();
    });
    await stage.webhooks.redeliver('operators', id);
    await until(() => endpoint.requests.length === 2);
    await done();
    const [again] = await stage.deliveries(hook);
    expect(again!.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 22));
  });

  test('is not delivered after it was deleted', async () => {
    const hook = await stage.webhook(endpoint.url);
    const [lost] = await stage.publish({});
    endpoint.respond = (_, res) => res.writeHead(500).end();
    const { close } = stage.serve({ schedule: { delays: [HOUR], random: () => 0.5 } });
    await until(() => endpoint.requests.length === 1);
    await close();
    await stage.database.transaction(async (tx) => {
      await tx.deleteFrom('events').where('id', '=', lost!).execute();
      await tx.updateTable('deliveries').set({ due_at: 0 }).execute();
    });
    stage.serve();
    await done();
    expect(endpoint.requests).toHaveLength(1);
    expect(await stage.deliveries(hook)).toEqual([]);
  });
}

function failureTests(): void {
  test('is repeated on schedule until the event is delivered', async () => {
    const hook = await stage.webhook(endpoint.url);
    endpoint.respond = (_, res) => res.writeHead(endpoint.requests.length < 3 ? 500 : 200).end('ok');
    await stage.publish({});
    stage.serve();
    await done();
    const [delivery] = await stage.deliveries(hook);
    expect(delivery!.status).toBe('delivered');
    expect(delivery!.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
    ]);
  });

  test('is not repeated after the end of the schedule', async () => {
    const hook = await stage.webhook(endpoint.url);
    endpoint.respond = (_, res) => res.destroy();
    await stage.publish({});
    stage.serve();
    await done();
    const [delivery] = await stage.deliveries(hook);
    expect(delivery).toMatchObject({ status: 'failed', dueAt: null, endedAt: expect.any(Number) });
    expect(delivery!.attempts).toHaveLength(4);
    expect(delivery!.attempts[3]).toMatchObject({
      status: null,
      error: expect.stringContaining('closed'),
      answer: null,
    });
  });

  test.each([301, 302, 307, 400, 404])('may be one with the response status %i', async (status) => {
    const hook = await stage.webhook(endpoint.url);
    endpoint.respond = (_, res) => res.writeHead(status, { Location: other.url }).end();
    await stage.publish({});
    stage.serve();
    await done();
    expect((await stage.deliveries(hook))[0]).toMatchObject({ status: 'failed' });
    expect(endpoint.requests).toHaveLength(4);
    expect(other.requests).toEqual([]);
  });

  test('whose response has Retry-After is not repeated earlier', async () => {
    const hook = await stage.webhook(endpoint.url);
    endpoint.respond = (_, res) => res.writeHead(429, { 'Retry-After': '3600' }).end();
    await stage.publish({});
    stage.serve();
    await until(async () => (await stage.deliveries(hook))[0]?.attempts.length === 1);
    const [delivery] = await stage.deliveries(hook);
    const wait = delivery!.dueAt! - delivery!.attempts[0]!.at;
    expect(Math.round(wait / 60_000)).toBe(60);
  });
}

function healthTests(): void {
  test('that fails shows since when, until an attempt succeeds', async () => {
    const hook = await stage.webhook(endpoint.url);
    const failingSince = async () => (await stage.webhooks.get('operators', hook.webhook.id))!.failingSince;
    endpoint.respond = (_, res) => res.writeHead(500).end();
    await stage.publish({});
    stage.serve();
    await done();
    const since = await failingSince();
    expect(since).toBeGreaterThanOrEqual(change.at);
    await stage.publish({});
    await until(() => endpoint.requests.length === 8);
    await done();
    expect(await failingSince()).toBe(since);
    endpoint.respond = (_, res) => res.writeHead(200).end();
    await stage.publish({});
    await until(async () => (await failingSince()) === null);
    const { revision } = (await stage.webhooks.get('operators', hook.webhook.id))!;
    expect(revision).toBe(hook.webhook.revision);
  });

  test('that fails for five days is disabled, and its owner gets an event', async () => {
    const accountId = await stage.account('acme');
    const hook = await stage.webhook(endpoint.url, { accountId });
    await stage.webhook(other.url, { accountId, types: ['webhook.disabled'] });
    endpoint.respond = (_, res) => res.writeHead(500).end();
    await stage.publish({});
    stage.serve({ schedule: { delays: [10, 10, 10], random: () => 0.5 }, disableAfterMs: 5 * 24 * HOUR });
    await until(() => endpoint.requests.length === 4);
    await done();
    const fiveDaysAgo = Date.now() - 5 * 24 * HOUR;
    const set = { failing_since: fiveDaysAgo };
    await stage.database.transaction((tx) =>
      tx.updateTable('webhooks').set(set).where('id', '=', hook.webhook.id).execute(),
    );
    // The first failed attempt does not disable the webhook, because it may be the only attempt in days.
    await stage.publish({});
    await until(() => other.requests.length === 1);
    expect(endpoint.requests).toHaveLength(4 + 3);
    expect(await stage.webhooks.get('operators', hook.webhook.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      disabledAt: expect.any(Number),
    });
    const { id, url } = hook.webhook;
    const data = { id, url, reason: 'failing' };
    expect(JSON.parse(other.requests[0]!.body)).toMatchObject({ type: 'webhook.disabled', data });
    const [entry] = (await stage.registry.listAudit({ subject: id }, { limit: 9 })).items;
    expect(entry).toMatchObject({ actor: 'system', action: 'webhook.disable', after: { status: 'disabled' } });
  });

  test('whose endpoint responds with 410 is disabled immediately, and its events wait until it is enabled', async () => {
    const accountId = await stage.account('acme');
    const hook = await stage.webhook(endpoint.url, { accountId, types: ['key.created'] });
    const subscriber = await stage.webhook(other.url, { types: ['webhook.disabled'] });
    endpoint.respond = (_, res) => res.writeHead(410).end();
    await stage.events.publish([createKeyEvent('acme')]);
    stage.serve();
    await until(() => other.requests.length === 1);
    expect(new Webhook(subscriber.secret).verify(other.requests[0]!.body, other.requests[0]!.headers)).toMatchObject({
      data: { id: hook.webhook.id, reason: 'gone' },
    });
    const { status, disabledReason } = (await stage.webhooks.get({ accountId }, hook.webhook.id))!;
    expect([status, disabledReason]).toEqual(['disabled', 'gone']);
    expect(endpoint.requests).toHaveLength(1);
    expect((await stage.deliveries(hook))[0]).toMatchObject({ status: 'pending', attempts: [{ status: 410 }] });
    endpoint.respond = (_, res) => res.writeHead(200).end();
    await stage.webhooks.update({ accountId }, hook.webhook.id, { status: 'enabled' }, change);
    await done();
    expect(endpoint.requests.map(({ body }) => JSON.parse(body).type)).toEqual(['key.created', 'key.created']);
  });

  test('can be tested by its owner with an event that is sent once and only to this webhook', async () => {
    const accountId = await stage.account('acme');
    const hook = await stage.webhook(endpoint.url, { accountId });
    await stage.webhook(other.url);
    stage.serve();
    const tried = await stage.webhooks.test({ accountId }, hook.webhook.id, Date.now());
    expect(tried).toMatchObject({ type: 'webhook.test', status: 'delivered' });
    await done();
    expect(other.requests).toEqual([]);
    const elsewhere = stage.webhooks.test({ accountId: 'acc_other' }, hook.webhook.id, Date.now());
    await expect(elsewhere).rejects.toMatchObject({ code: 'webhook_not_found' });
  });
}
