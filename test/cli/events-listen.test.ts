import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGatewayEvent } from '../../src/control-plane/events/gateway-events.ts';
import type { EventResponse } from '../../src/cli/admin-api-types.ts';
import { connect } from '../../src/cli/admin-api.ts';
import { EventFeed } from '../../src/cli/events-listen.ts';
import { createProcessIo } from '../../src/cli/io.ts';
import type { Database } from '../../src/storage/database.ts';
import { type Admin, NOW, startAdmin, TOKEN } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { until } from '../support/until.ts';

let admin: Admin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const makeKey = async (name: string) =>
  String((await admin.post('/v1/keys', { name, owner: 'acme', plan: 'free' })).body.id);

/** Runs the command until the test stops it. */
function listening(...args: string[]) {
  const ended = new AbortController();
  let [printed, errorOutput] = ['', ''];
  const onOut = (text: string) => void (printed += text);
  const onErr = (text: string) => void (errorOutput += text);
  const run = createCli(admin).run(['events', 'listen', ...args], { ended: ended.signal, onOut, onErr });
  return {
    printed: () => printed,
    errorOutput: () => errorOutput,
    async end() {
      ended.abort();
      return run;
    },
  };
}

test('events are printed as they happen, without earlier ones', async () => {
  await makeKey('before');
  const listener = listening();
  await until(async () => {
    await makeKey('while');
    return listener.printed() !== '';
  });
  const { code, err } = await listener.end();
  expect([code, err]).toEqual([0, '']);
  for (const line of listener.printed().trimEnd().split('\n')) {
    expect(line).toMatch(/^2026-06-15 12:00:00 {2}key\.created {2}key_\w+ {2}acme {2}{"id":"key_\w+","name":"while",/);
  }
});

test('only matching events are printed, and --json prints one document per line', async () => {
  const listener = listening('--type', 'key.revoked', '--json');
  await until(async () => {
    await admin.delete(`/v1/keys/${await makeKey('a')}`);
    return listener.printed() !== '';
  });
  await listener.end();
  for (const line of listener.printed().trimEnd().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ type: 'key.revoked', owner: 'acme' });
  }
});

test('the command fails if the first call fails', async () => {
  const cli = createCli({ ...admin, url: 'http://127.0.0.1:9' });
  expect(await cli.run(['events', 'listen'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^tollgate: .*http:\/\/127\.0\.0\.1:9/),
  });
});

test('the command keeps listening if a later call fails', async () => {
  const listener = listening();
  await until(async () => {
    await makeKey('first');
    return listener.printed() !== '';
  });
  hide(admin.database, true);
  await until(() => listener.errorOutput().includes('Still listening'));
  hide(admin.database, false);
  const id = await makeKey('after');
  await until(() => listener.printed().includes(id));
  const { code, err } = await listener.end();
  expect(code).toBe(0);
  expect(err.match(/Still listening/g)).toHaveLength(1);
});

/** Renames the events table, so that listing events fails. */
function hide(database: Database, isHidden: boolean): void {
  const { sqlite } = database as unknown as { sqlite: { exec: (text: string) => void } };
  sqlite.exec(isHidden ? 'ALTER TABLE events RENAME TO hidden' : 'ALTER TABLE hidden RENAME TO events');
}

/** If a transaction is slow, it commits its event after other events that have higher numbers. */
test('events that are committed out of order are each reported once', async () => {
  const env = { TOLLGATE_ADMIN_URL: admin.url, TOLLGATE_ADMIN_TOKEN: TOKEN };
  const api = connect({ ...createProcessIo(), env });
  const feed = new EventFeed(api, {});
  const about = { subject: 'x', owner: null, at: NOW };
  const publish = (count: number) =>
    admin.events.publish(
      Array.from({ length: count }, () => createGatewayEvent('webhook.test', { webhookId: 'x' }, about)),
    );
  const setBack = async (id: string, by: number) => {
    const { sequence } = await admin.database.read((queries) =>
      queries.selectFrom('events').select('sequence').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    await admin.database.transaction((tx) =>
      tx
        .updateTable('events')
        .set({ sequence: sequence - by } as object)
        .where('id', '=', id)
        .execute(),
    );
  };
  const listIds = (events: readonly EventResponse[]) => events.map(({ id }) => id);

  await publish(1500);
  await feed.start();
  expect(await feed.poll()).toEqual([]);
  const many = await publish(250);
  expect(listIds(await feed.poll())).toEqual(many);
  expect(await feed.poll()).toEqual([]);
  // Make the numbers free again, for slow transactions.
  await admin.database.transaction((tx) => tx.deleteFrom('events').where('id', 'in', many.slice(50, 200)).execute());
  const [late] = await publish(1);
  await setBack(late!, 60);
  expect(listIds(await feed.poll())).toEqual([late]);
  const [later] = await publish(1);
  await setBack(later!, 150);
  const found: string[] = [];
  for (let polls = 0; polls < 10; polls++) found.push(...listIds(await feed.poll()));
  expect(found).toEqual([later]);
});
