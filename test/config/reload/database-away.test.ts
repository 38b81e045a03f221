/** A reload needs the database only for changed plans, and must be applied completely or not at all. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';
import { type RedisDatabase, sharedRedis } from '../../support/servers/shared-servers.ts';

let postgres: PostgresServer;
let redis: RedisDatabase;
let gateway: ReloadingGateway;
const upstream = { name: 'service', openapi: 'service.yaml', targets: ['http://127.0.0.1:9'] };
const settings = (more: object = {}) => ({ plans: 'plans.yaml', upstreams: [upstream], ...more });

beforeAll(async () => {
  [postgres, redis] = await Promise.all([PostgresServer.start(), sharedRedis()]);
  gateway = await startReloadingGateway((write) => {
    write('service.yaml', createDocument({ now: {} }));
    write('plans.yaml', createPlans({ minute: 10, day: 100 }));
    return { settings: settings(), env: { TOLLGATE_DATABASE: postgres.url(), TOLLGATE_STORE: redis.url } };
  });
  // On a slow machine, the gateway listens before the tables of a new database exist, so wait for them.
  await until(async () => (await fetch(`${gateway.adminUrl}/readyz`)).ok);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([postgres.stop(), redis.release()]);
});

const limits = async () => (await gateway.ask('GET', '/v1/plans/free')).body.limits;
const hasLogged = (message: string) => gateway.logs.some((line) => line.includes(message));

test('while the database is unavailable, only a reload that changes plans fails, and it changes nothing', async () => {
  await postgres.kill();
  gateway.configure(settings({ afterSunset: 'gone' }));
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { changed: ['afterSunset'] } });
  expect(hasLogged('could not record the reload in the audit log')).toBe(true);

  gateway.write('plans.yaml', createPlans({ minute: 20, day: 200 }));
  gateway.configure(settings({ afterSunset: 'serve' }));
  const { status, body } = await gateway.reload();
  expect([status, body.code]).toEqual([503, 'store_unavailable']);
  expect(gateway.logs.find((line) => line.includes('configuration not reloaded'))).not.toContain('"stack"');

  await postgres.start();
  await until(async () => (await gateway.ask('GET', '/v1/plans')).status === 200);
  expect(await limits()).toEqual({ minute: 10, day: 100 });
  expect((await gateway.reload()).body.changed.sort()).toEqual(['afterSunset', 'plans']);
  expect(await limits()).toEqual({ minute: 20, day: 200 });
});
