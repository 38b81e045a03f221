import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../support/gateway/cli.ts';
import {
  ADMIN_TOKEN,
  documentOf,
  plansOf,
  type ReloadingGateway,
  startReloading,
} from '../../support/gateway/reloading.ts';

let gateway: ReloadingGateway;
const upstream = { name: 'a', openapi: 'a.yaml', targets: ['http://127.0.0.1:9'] };
const settings = { plans: 'plans.yaml', upstreams: [upstream] };

beforeAll(async () => {
  gateway = await startReloading((write) => {
    write('plans.yaml', plansOf({ minute: 60, day: 1000 }));
    write('a.yaml', documentOf({ a: {} }));
    return { settings };
  });
});
afterAll(() => gateway.stop());

const reload = (...options: string[]) =>
  runCommand(['config', 'reload', ...options], {
    env: { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
  });

test('it tells what has changed, what needs a restart, and why', async () => {
  gateway.configure({ ...settings, afterSunset: 'gone', edge: { maxConnections: 7 } });
  const { code, out } = await reload('--reason', 'the old API has ended');
  expect([code, out]).toEqual([0, 'changed: afterSunset\nneeds a restart: edge.maxConnections\nReloaded.\n']);
  const audit = await runCommand(['audit', 'list', '--action', 'config.reload'], {
    env: { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
  });
  expect(audit.out).toMatch(/admin +config\.reload +configuration +afterSunset +the old API has ended/);
});

test('nothing has changed', async () => {
  gateway.configure({ ...settings, afterSunset: 'gone' });
  expect(await reload()).toEqual({ code: 0, out: 'Nothing has changed.\n', err: '' });
  expect(JSON.parse((await reload('--json')).out)).toEqual({ changed: [], restart: [], warnings: [] });
});

test('nothing has changed but what needs a restart', async () => {
  gateway.configure({ ...settings, afterSunset: 'gone', edge: { maxConnections: 7 } });
  const { code, out } = await reload();
  expect([code, out]).toEqual([0, 'needs a restart: edge.maxConnections\nNothing else has changed.\n']);
});

test('faults are told, each with its place', async () => {
  gateway.configure({ ...settings, gaurd: {}, afterSunset: 'never' });
  const { code, out, err } = await reload();
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/gateway\.yaml:\d+: gaurd is not a setting: check its spelling, or remove it\n/);
  expect(err).toMatch(/gateway\.yaml:\d+: afterSunset must be one of serve, gone/);
});
