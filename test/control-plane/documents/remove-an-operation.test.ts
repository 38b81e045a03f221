/**
 * An operation is removed without breaking any caller. A comparison finds the callers. The overlay that it proposes
 * announces the removal, and the portal tells the callers. Once there are no more calls, the comparison passes.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { runCommand } from '../../support/gateway/cli.ts';
import { PortalBrowser } from '../../support/gateway/portal.ts';
import {
  ADMIN_TOKEN,
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const IN_FORCE = createDocument({ pets: {}, orders: {} });
const NEXT = createDocument({ orders: {} });

const time = { now: Date.parse('2026-06-15T12:00:00Z') };
const folder = mkdtempSync(join(tmpdir(), 'tollgate-'));
let service: HttpService;
let gateway: ReloadingGateway;
beforeAll(async () => {
  service = await serveHttp((_req, res) => res.end('here'));
  gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 1000, day: 100_000 }));
    write('shop.yaml', IN_FORCE);
    return { settings: settingsWith(), clock: () => time.now };
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

function settingsWith(more: object = {}): Record<string, unknown> {
  const upstreams = [{ name: 'shop', openapi: 'shop.yaml', targets: [service.url], ...more }];
  return { plans: 'plans.yaml', portal: { enabled: true, plan: 'free', requestablePlans: [] }, upstreams };
}

async function apply(more: object): Promise<void> {
  gateway.configure(settingsWith(more));
  expect(await gateway.reload()).toMatchObject({ status: 200 });
}

function callPets(): Promise<Response> {
  return fetch(`${gateway.url}/pets`, { headers: { 'x-api-key': gateway.demoKey } });
}

/** Compares the next document with the one in force, like a pipeline. */
function diff(...more: readonly string[]) {
  const file = join(folder, 'next.yaml');
  writeFileSync(file, stringify(NEXT));
  const env = { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  return runCommand(['documents', 'diff', 'shop', file, '--days', '30', ...more], { env, now: time.now });
}

test('an operation can be announced as deprecated, lose its callers, and be removed without breaking anybody', async () => {
  expect((await callPets()).status).toBe(200);
  await until(async () => (await diff()).code === 1);
  const found = JSON.parse((await diff('--json', '--fail-on', 'never')).out);
  expect(found.summary).toMatchObject({ breaking: 1, called: 1, keys: 1, owners: 1 });

  gateway.write('removal.yaml', found.overlay);
  await apply({ overlays: ['removal.yaml'] });
  const announced = await callPets();
  expect(announced.headers.get('deprecation')).toBe(`@${Date.parse('2026-06-15') / 1000}`);
  expect(announced.headers.get('sunset')).toBe('Sun, 13 Sep 2026 00:00:00 GMT');
  const portal = new PortalBrowser(gateway.portalUrl);
  expect((await portal.post('/api/session', { key: gateway.demoKey })).status).toBe(201);
  const { body: changes } = await portal.get('/api/changes');
  expect(changes.items).toMatchObject([{ operation: 'pets', sunsetAt: '2026-09-13T00:00:00.000Z' }]);

  // During the brownout, callers notice the removal even if they have not read any announcement.
  time.now = Date.parse('2026-08-16T10:30:00Z');
  const brownout = await callPets();
  expect([brownout.status, ((await brownout.json()) as { code: string }).code]).toEqual([410, 'operation_brownout']);
  await until(async () => (await diff()).code === 1);

  time.now += 31 * DAY_MS;
  const unused = await diff();
  expect([unused.code, unused.out]).toEqual([0, expect.stringContaining('No affected operation was called')]);
  gateway.write('shop.yaml', NEXT);
  await apply({});
  expect((await callPets()).status).toBe(404);
  expect((await diff('--fail-on', 'breaking')).code).toBe(0);
});
