import { expect, test } from '@jest/globals';
import type { Health } from '../../../src/control-plane/admin/resources/probes.ts';
import { expectError, startAdmin } from '../../support/gateway/admin.ts';

test('liveness and readiness need no token', async () => {
  let health: Health = 'starting';
  const admin = await startAdmin({ health: () => health });
  const ready = () => admin.call('GET', '/readyz', { token: null });

  expectError(await ready(), 503, 'starting');
  health = 'ready';
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
  health = 'degraded';
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'degraded' } });
  health = 'draining';
  expectError(await ready(), 503, 'shutting_down');
  expect((await admin.call('GET', '/livez', { token: null })).status).toBe(200);
  await admin.stop();
});

test('metrics are served if there are any, and otherwise their path is unknown', async () => {
  const contentType = 'text/plain; version=0.0.4';
  const admin = await startAdmin({ metrics: async () => ({ contentType, body: 'up 1\n' }) });
  const { headers, text } = await admin.call('GET', '/metrics', { token: null });
  expect([headers.get('content-type'), text]).toEqual([contentType, 'up 1\n']);
  await admin.stop();

  const without = await startAdmin();
  expectError(await without.call('GET', '/metrics', { token: null }), 401, 'unauthorized');
  expectError(await without.get('/metrics'), 404, 'route_not_found');
  await without.stop();
});
