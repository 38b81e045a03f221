import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { openReadyPostgres } from '../../support/servers/open-postgres.ts';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import { Publisher } from '../../../src/data-plane/upstreams/in-process/publisher.ts';
import { EventRefused, ServiceEvents } from '../../../src/control-plane/events/service-events.ts';
import { serviceEventsContract } from '../../contract/service-events.contract.ts';
import { eventTypesOf } from '../../support/services/event-types.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { startPostgresProxy } from '../../support/servers/postgres-proxy.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';
import { measureTime } from '../../support/stopwatch.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const logger = pino({ level: 'silent' });
const sources = [{ name: 'pets', eventTypes: eventTypesOf({ 'pet.fed': {} }) }];

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

serviceEventsContract('SQLite', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  return {
    one: database,
    other: database,
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
});

serviceEventsContract('PostgreSQL', async () => {
  const url = await postgres.borrowDatabase();
  const [one, other] = [await openReadyPostgres(url, logger), await openReadyPostgres(url, logger)];
  return {
    one,
    other,
    async dispose() {
      await Promise.all([one.close(), other.close()]);
      await postgres.releaseDatabase(url);
    },
  };
});

test('publishing an event is rejected while the database is unavailable', async () => {
  const proxy = await startPostgresProxy(postgres.port);
  const database = await openReadyPostgres(proxy.through(await postgres.borrowDatabase()), logger);
  const services = new ServiceEvents(database, sources, Date.now);
  const publish = () => services.publish('pets', [{ type: 'pet.fed', data: {}, id: '1' }]);
  expect(await publish()).toEqual([{ id: expect.any(String), isNew: true }]);
  proxy.stop();
  await expect(publish()).rejects.toThrow(StoreUnavailable);
  await database.close();
});

test('closing a publisher waits for its pending writes', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const services = new ServiceEvents(database, sources, Date.now);
  const publisher = new Publisher(services, 'pets');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  // This transaction occupies the only connection of the database.
  const holding = database.transaction(() => held);
  const publishing = publisher.publish('pet.fed', {});
  let isClosed = false;
  const closing = publisher.close().then(() => (isClosed = true));
  await setImmediate();
  expect(isClosed).toBe(false);
  await expect(publisher.publish('pet.fed', {})).rejects.toThrow('the upstream pets is closed');
  release();
  expect(await publishing).toMatchObject({ isNew: true });
  await Promise.all([closing, holding]);
  await database.close();
  folder.remove();
});

test('closing a publisher does not wait forever for a pending write', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const publisher = new Publisher(new ServiceEvents(database, sources, Date.now), 'pets');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holding = database.transaction(() => held);
  const publishing = publisher.publish('pet.fed', {});
  expect((await measureTime(() => publisher.close())).ms).toBeLessThan(60_000);
  release();
  await Promise.all([publishing, holding]);
  await database.close();
  folder.remove();
});

/** A schema in which each level is checked twice as often as the level above it. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, level) => {
    const next = { $ref: `#/body/properties/data/$defs/level${level + 1}` };
    return [`level${level}`, { allOf: [next, next] }];
  }),
);

/** A single hostile event must not block the gateway, so checking an event has a time limit. */
test.each([
  ['a pattern', { properties: { text: { pattern: '^(a+)+$' } } }],
  ['references', { $ref: '#/body/properties/data/$defs/level0', $defs: { ...doubling, level60: {} } }],
])('an event that takes too long to validate because of %s in its schema is rejected', async (_, schema) => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const eventTypes = eventTypesOf({ 'pet.fed': {}, 'pet.told': schema });
  const services = new ServiceEvents(database, [{ name: 'pets', eventTypes }], Date.now);
  const hostile = { type: 'pet.told', data: { text: `${'a'.repeat(60)}!` } };
  const events = [{ type: 'pet.fed', data: {} }, hostile, hostile];
  const error = await services.publish('pets', events).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EventRefused);
  expect(error).toMatchObject({
    index: 1,
    details: [{ path: '/data', message: expect.stringMatching(/^took too long to validate/) }],
  });
  expect(await services.publish('pets', [{ type: 'pet.fed', data: {} }])).toMatchObject([{ isNew: true }]);
  await database.close();
  folder.remove();
});
