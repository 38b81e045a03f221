import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OutgoingEvent } from '../../../src/petstore/relay.ts';
import { run } from '../../support/gateway/process.ts';
import { until } from '../../support/until.ts';
import { callApi, OPENAPI_PATH } from '../../support/petstore/petstore.ts';
import { startPublishing } from '../../support/petstore/publishing.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

async function start(file: string, how: 'slowly' | 'never') {
  const running = run('test/support/petstore/publishing-process.ts', [file, OPENAPI_PATH, how], {});
  const [, url = ''] = await running.waitForOutput(/"url":"([^"]+)"/);
  return {
    url,
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended();
    },
  };
}

function publishedTo(file: string): OutgoingEvent[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as OutgoingEvent);
}

/** Starts a pet store and waits until it has published all remaining events. Returns them. */
async function publishRest(file: string): Promise<OutgoingEvent[]> {
  const rest: OutgoingEvent[] = [];
  const store = await startPublishing({
    dataDir: dirname(file),
    publishAll: async (events) => void rest.push(...events),
  });
  // Creates the last event, so that no others can follow.
  const { body } = await store.post('/categories', { name: 'Last' });
  await store.post('/pets', { name: 'Last', categoryId: body.id });
  await until(() => rest.some(({ type, data }) => type === 'pet.created' && data.includes('"Last"')));
  await store.close();
  return rest;
}

test('committed but unpublished events are published after the next start', async () => {
  const file = join(temporaryDirectory(), 'published');
  const store = await start(file, 'never');
  const { body: category } = await callApi(store.url, 'POST', '/categories', { json: { name: 'Dogs' } });
  for (let count = 0; count < 150; count++) {
    await callApi(store.url, 'POST', '/pets', { json: { name: 'Rex', categoryId: category.id } });
  }
  await store.kill();
  expect(publishedTo(file)).toEqual([]);
  const rest = await publishRest(file);
  expect(rest.map(({ type, subject }) => [type, subject])).toEqual(
    Array.from({ length: 151 }, (_, index) => ['pet.created', String(index + 1)]),
  );
});

/** Creates and orders pets until the process is killed. */
async function write(url: string, categoryId: bigint, enough: () => void): Promise<void> {
  try {
    for (;;) {
      const { body } = await callApi(url, 'POST', '/pets', { json: { name: 'Rex', categoryId } });
      await callApi(url, 'POST', '/store/orders', { json: { petId: body.id } });
      enough();
    }
  } catch (error) {
    // The connection breaks when the process is killed. Anything else is a failure.
    if (!/fetch failed|terminated/.test(String(error))) throw error;
  }
}

test('kill -9 at any time loses no event and publishes none of uncommitted changes, and repeats have the same id', async () => {
  const file = join(temporaryDirectory(), 'published');
  const first = await start(file, 'slowly');
  const { body: category } = await callApi(first.url, 'POST', '/categories', { json: { name: 'Dogs' } });
  await first.kill();
  for (let round = 0; round < 5; round++) {
    const store = await start(file, 'slowly');
    let left = 60 + round * 40;
    let died: Promise<unknown> | undefined;
    const enough = () => {
      if (--left === 0) died = store.kill();
    };
    await Promise.all(Array.from({ length: 4 }, () => write(store.url, category.id, enough)));
    await died;
  }
  const all = [...publishedTo(file), ...(await publishRest(file))];
  const byId = new Map(all.map((event) => [event.id, event]));
  // Repeated events are identical.
  for (const event of all) expect(event).toEqual(byId.get(event.id));
  const database = new DatabaseSync(join(dirname(file), 'pets.db'));
  const listIds = (table: string) =>
    database
      .prepare(`SELECT id FROM ${table} ORDER BY id`)
      .all()
      .map(({ id }) => Number(id));
  const publishedIds = (type: string) =>
    [...byId.values()]
      .flatMap((event) => (event.type === type ? [Number(event.subject)] : []))
      .toSorted((a, b) => a - b);
  const orders = listIds('orders');
  expect(orders.length).toBeGreaterThan(500);
  expect(publishedIds('pet.created')).toEqual(listIds('pets'));
  expect(publishedIds('order.created')).toEqual(orders);
  // Every order took a pet's last stock.
  for (const type of ['pet.updated', 'inventory.changed', 'inventory.depleted']) {
    expect(publishedIds(type)).toHaveLength(orders.length);
  }
  expect(database.prepare('SELECT count(*) AS rows FROM outbox').get()).toEqual({ rows: 0 });
  database.close();
});
