import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ComponentReport } from '../../../src/system/component-watch.ts';
import { noteRunning } from '../../../src/system/gateway-rows.ts';
import { expectError, NOW, startAdmin, VIEWER, type Admin } from '../../support/gateway/admin.ts';

const components: ComponentReport[] = [
  { name: 'counters', kind: 'redis', state: 'degraded', since: NOW - 60_000, cause: 'Redis cannot be reached' },
  { name: 'records', kind: 'postgres', state: 'ready', since: NOW - 3_600_000, cause: null },
];
const settings = [
  { name: 'demo', value: false, secret: false, source: 'default', from: null },
  { name: 'TOLLGATE_ADMIN_TOKEN', value: 'set', secret: true, source: 'environment', from: 'TOLLGATE_ADMIN_TOKEN' },
] as const;

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({
    health: () => 'degraded',
    system: {
      gateway: { id: 'this', host: 'a-machine', version: '1.2.3' },
      startedAt: NOW - 3_600_000,
      components: () => components,
      historyLag: () => ({ lagMs: 1500, pendingRows: 7 }),
      file: '/etc/tollgate/gateway.yaml',
      settings,
      gateways: async () => [
        { id: 'other', host: 'b', version: '1.2.2', startedAt: NOW, lastSeenAt: NOW, state: 'gone' },
        { id: 'this', host: 'a', version: '1.2.3', startedAt: NOW - 1000, lastSeenAt: NOW, state: 'running' },
      ],
    },
  });
});
afterAll(() => admin.stop());

test('a gateway says how it is, what it needs, and since when that is as it is', async () => {
  expect((await admin.get('/v1/system')).body).toEqual({
    version: '1.2.3',
    nodeVersion: process.versions.node,
    gateway: { id: 'this', host: 'a-machine', startedAt: '2026-06-15T11:00:00.000Z' },
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
    ],
    history: { lagMs: 1500, pendingRows: 7 },
  });
});

test('the configuration is told as it is in force', async () => {
  expect((await admin.get('/v1/system/configuration')).body).toEqual({ file: '/etc/tollgate/gateway.yaml', settings });
});

test('the gateways are listed in pages, and the one that answers is marked', async () => {
  const first = (await admin.get('/v1/gateways?limit=1')).body;
  expect(first.items).toEqual([
    {
      id: 'other',
      host: 'b',
      version: '1.2.2',
      state: 'gone',
      startedAt: '2026-06-15T12:00:00.000Z',
      lastSeenAt: '2026-06-15T12:00:00.000Z',
      current: false,
    },
  ]);
  const second = (await admin.get(`/v1/gateways?limit=1&cursor=${first.nextCursor}`)).body;
  expect(second).toMatchObject({ items: [{ id: 'this', current: true }], nextCursor: null });
});

test('viewers may read all of it; nobody else may, and nothing else is understood', async () => {
  for (const path of ['/v1/system', '/v1/system/configuration', '/v1/gateways']) {
    expect((await admin.call('GET', path, { token: VIEWER })).status).toBe(200);
    expectError(await admin.call('GET', path, { token: null }), 401, 'unauthorized');
    expectError(await admin.get(`${path}?colour=red`), 400, 'validation_failed', '/query/colour');
    expectError(await admin.delete(path), 405, 'method_not_allowed');
  }
  expectError(await admin.get('/v1/gateways?cursor=x'), 400, 'validation_failed', '/query/cursor');
});

test('gateways come from the database', async () => {
  const other = await startAdmin();
  await noteRunning(other.database, { id: 'this-gateway', host: 'm', version: '1' }, 0);
  expect((await other.get('/v1/gateways')).body.items).toMatchObject([{ id: 'this-gateway', current: true }]);
  await other.stop();
});
