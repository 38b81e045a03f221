import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { recordRunning } from '../../../../src/control-plane/system/heartbeat.ts';
import { expectError, startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';

const STALE_FOR_MS = 900_000;

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({ health: () => 'degraded' });
});
afterAll(() => admin.stop());

test('a gateway reports its own state and the states of its dependencies, with the time when each began', async () => {
  expect((await admin.get('/v1/system')).body).toEqual({
    version: '1.2.3',
    nodeVersion: process.versions.node,
    gateway: { id: 'this-gateway', host: 'a-machine', startedAt: '2026-06-15T11:00:00.000Z' },
    health: 'degraded',
    listeners: { public: 'http://127.0.0.1:8080', admin: admin.url },
    components: [
      {
        name: 'counters',
        kind: 'redis',
        state: 'degraded',
        since: '2026-06-15T11:59:00.000Z',
        cause: 'Redis cannot be reached',
      },
      { name: 'records', kind: 'postgres', state: 'ready', since: '2026-06-15T11:00:00.000Z', cause: null },
      {
        name: 'upstream pets',
        kind: 'http',
        state: 'away',
        since: '2026-06-15T11:59:00.000Z',
        cause: 'no target responds',
      },
    ],
    history: { lagMs: 1500, pendingRows: 7 },
  });
});

test('the current settings are returned, but not the values of secrets', async () => {
  const { file, settings } = (await admin.get('/v1/system/configuration')).body;
  expect(file).toBe('/etc/tollgate/gateway.yaml');
  expect(settings).toContainEqual({
    name: 'TOLLGATE_ADMIN_TOKEN',
    value: 'set',
    secret: true,
    source: 'environment',
    from: 'TOLLGATE_ADMIN_TOKEN',
  });
});

test('gateways are listed in pages, and the gateway that responds is marked', async () => {
  await recordRunning(admin.database, { id: 'this-gateway', host: 'a', version: '1.2.3' }, 60_000, STALE_FOR_MS);
  await recordRunning(admin.database, { id: 'other', host: 'b', version: '1.2.2' }, 0, STALE_FOR_MS);
  await admin.database.transaction(async (tx) => {
    await sql`UPDATE gateways SET seen_at = seen_at - 31000 WHERE id = 'other'`.execute(tx);
  });
  const first = (await admin.get('/v1/gateways?limit=1')).body;
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(first.items).toEqual([
    {
      id: 'other',
      host: 'b',
      version: '1.2.2',
      state: 'gone',
      startedAt: time,
      lastSeenAt: time,
      current: false,
      configuration: null,
    },
  ]);
  const second = (await admin.get(`/v1/gateways?limit=1&cursor=${first.nextCursor}`)).body;
  expect(second).toMatchObject({ items: [{ id: 'this-gateway', state: 'running', current: true }], nextCursor: null });
});

test('viewers can read the state of the system, and callers without a token cannot', async () => {
  for (const path of ['/v1/system', '/v1/system/configuration', '/v1/gateways']) {
    expect((await admin.call('GET', path, { token: VIEWER })).status).toBe(200);
    expectError(await admin.call('GET', path, { token: null }), 401, 'unauthorized');
    expectError(await admin.get(`${path}?color=red`), 400, 'validation_failed', '/query/color');
    expectError(await admin.delete(path), 405, 'method_not_allowed');
  }
  expectError(await admin.get('/v1/gateways?cursor=x'), 400, 'validation_failed', '/query/cursor');
});
