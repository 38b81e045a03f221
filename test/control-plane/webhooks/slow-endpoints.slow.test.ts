/**
 * The endpoint of one consumer hangs and has many pending events. All other consumers must receive their events before
 * any call to the slow endpoint has ended.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { Endpoint } from '../../support/webhooks/endpoint.ts';
import { makeSqlite, postgresDatabases } from '../../support/webhooks/databases.ts';
import { until } from '../../support/until.ts';
import { createEvent, Stage } from '../../support/webhooks/stage.ts';

const OTHERS = 100;
const EVENTS = 20;
const makePostgres = postgresDatabases();

let stage: Stage | undefined;
let slow: Endpoint;
let others: Endpoint;
let held: ServerResponse[];
beforeEach(async () => {
  held = [];
  slow = await Endpoint.start((_, res) => void held.push(res));
  others = await Endpoint.start();
});
afterEach(async () => {
  await stage?.close();
  await Promise.all([slow.stop(), others.stop()]);
});

test.each([
  ['SQLite', makeSqlite],
  ['PostgreSQL', makePostgres],
])('with %s, one unresponsive endpoint does not delay the events of 100 others', async (_name, make) => {
  stage = await Stage.open(await make());
  const hanging = await stage.webhook(slow.url);
  const hooks = [];
  for (let index = 0; index < OTHERS; index++) hooks.push(await stage.webhook(`${others.url}${index}`));
  stage.serve();
  await stage.events.publish(Array.from({ length: EVENTS }, () => createEvent()));
  await until(() => others.requests.length >= OTHERS * EVENTS);
  expect(held.length).toBeGreaterThan(0);
  expect(held.every((res) => !res.writableEnded)).toBe(true);
  const paths = Map.groupBy(others.requests, ({ path }) => path);
  expect([...paths.values()].map((list) => list.length)).toEqual(Array(OTHERS).fill(EVENTS));
  const waiting = (await stage.deliveries(hanging)).filter(({ status }) => status === 'pending');
  expect(waiting).toHaveLength(EVENTS);
  // Once the slow endpoint responds again, it receives its events, too.
  slow.respond = (_req, res) => res.writeHead(204).end();
  for (const res of held) res.writeHead(204).end();
  await until(() => stage!.isDone());
  expect(new Set(slow.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
});

test('forty unresponsive endpoints delay the events of others only until they are detected', async () => {
  stage = await Stage.open(await makeSqlite());
  for (let index = 0; index < 40; index++) await stage.webhook(slow.url);
  for (let index = 0; index < 20; index++) await stage.webhook(`${others.url}${index}`);
  stage.serve();
  await stage.events.publish(Array.from({ length: EVENTS }, () => createEvent()));
  await until(() => others.requests.length >= 20 * EVENTS);
  expect(held.every((res) => !res.writableEnded)).toBe(true);
});

test('unresponsive endpoints that failed before do not delay the events of others, and are still called', async () => {
  stage = await Stage.open(await makeSqlite());
  for (let index = 0; index < 300; index++) await stage.webhook(slow.url);
  await stage.publish({});
  const failingSince = { failing_since: 1 };
  await stage.database.transaction((tx) => tx.updateTable('webhooks').set(failingSince).execute());
  for (let index = 0; index < 20; index++) await stage.webhook(`${others.url}${index}`);
  stage.serve();
  await until(() => held.length === 64);
  await stage.events.publish(Array.from({ length: EVENTS }, () => createEvent()));
  await until(() => others.requests.length >= 20 * EVENTS);
  expect([held.length, held.every((res) => !res.writableEnded)]).toEqual([64, true]);
});
