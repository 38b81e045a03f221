/** An operator can see before a reload what it would do, and which callers it would affect. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Previewing } from '../../../src/assembly/previewing.ts';
import { ConfigInForce } from '../../../src/config/in-force.ts';
import { createUnknownEffects } from '../../../src/control-plane/system/reload-effects.ts';
import { runCommand } from '../../support/gateway/cli.ts';
import { loadTestConfig } from '../../support/gateway/gateway.ts';
import {
  ADMIN_TOKEN,
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { until } from '../../support/until.ts';

const [VIEWER, PUBLISHER] = ['viewer-token-of-the-tests-0123456789', 'publisher-token-of-the-tests-0123456789'];

let service: HttpService;
let gateway: ReloadingGateway;
beforeAll(async () => {
  service = await serveHttp((_req, res) => res.end('here'));
  gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 1000, day: 100_000 }));
    write('shop.yaml', createDocument({ pets: {}, orders: {} }));
    return { settings: settingsWith(), env: { VIEWER, PUBLISHER } };
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

function settingsWith(more: object = {}): Record<string, unknown> {
  return {
    plans: 'plans.yaml',
    upstreams: [{ name: 'shop', openapi: 'shop.yaml', targets: [service.url] }],
    adminTokens: [
      { name: 'board', role: 'viewer', token: '${VIEWER}' },
      { name: 'shop', role: 'publisher', upstream: 'shop', token: '${PUBLISHER}' },
    ],
    ...more,
  };
}

const preview = (token?: string) => gateway.ask('POST', '/v1/config/preview', token);
const run = (...args: string[]) =>
  runCommand(args, { env: { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } });

test('a preview of a reload names its changes and whom they concern, applies nothing, and matches the reload', async () => {
  for (let call = 0; call < 3; call++)
    await (await fetch(`${gateway.url}/pets`, { headers: { 'x-api-key': gateway.demoKey } })).text();
  const [{ id: key }] = (await gateway.ask('GET', '/v1/keys')).body.items;
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ operations: ['pets', 'orders'] });
  const patched = await fetch(`${gateway.adminUrl}/v1/keys/${key}`, { method: 'PATCH', headers, body });
  expect(patched.status).toBe(200);

  gateway.write('shop.yaml', createDocument({ order: {}, news: { security: [] } }));
  gateway.write('plans.yaml', createPlans({ minute: 1, day: 100_000 }));
  gateway.configure(settingsWith({ afterSunset: 'gone', edge: { maxConnections: 7 } }));
  const expected = {
    changed: ['afterSunset', 'plans', 'upstreams.shop.openapi'],
    restart: ['edge.maxConnections'],
    operations: { added: 2, removed: 2, changed: 0, called: 1, keys: 1, owners: 1 },
    public: [{ id: 'news', method: 'GET', path: '/news', upstream: 'shop' }],
    selectors: [
      { kind: 'key', id: key, selector: 'pets', nearest: null, matchesNow: true },
      { kind: 'key', id: key, selector: 'orders', nearest: 'order', matchesNow: true },
    ],
    plans: [
      { id: 'free', outcome: 'changed', fields: ['limits'], keys: 1, preview: { keysExamined: 1, keysAbove: 1 } },
    ],
    incomplete: [],
  };
  // The history is written a moment after the calls.
  await until(async () => (await preview()).body.plans[0]?.preview?.keysAbove === 1);
  const previewed = await preview(VIEWER);
  expect(previewed).toMatchObject({ status: 200, body: expected });
  const removed = previewed.body.operations.items.find(
    ({ operation }: { operation: { id: string } }) => operation.id === 'pets',
  );
  expect(removed).toMatchObject({ change: 'removed', severity: 'breaking', callers: { keys: 1, requests: 3 } });

  const { code, out } = await run('config', 'preview');
  expect(code).toBe(0);
  for (const line of [
    'changed: afterSunset\n  from serve to gone\n',
    'needs a restart: edge.maxConnections\n  from 10000 to 7\n',
    /^file read again: .*\/shop\.yaml \(document\)$/m,
    'operations: 2 added, 2 removed, 0 changed; breaking changes of 1 operation concern 1 key of 1 owner\n',
    /^ {2}breaking +removed: GET \/pets \(shop\)\n +called by 1 key of 1 owner, last call .* ago$/m,
    'becomes public: GET /news (shop)\n',
    `matches no operation: orders, in the key ${key}; the nearest is order\n`,
    'changed plan: free (limits), 1 active key\n  1 of 1 key would have been refused: ',
    'Nothing was applied: "tollgate config reload" does that.\n',
  ])
    expect(out).toEqual(typeof line === 'string' ? expect.stringContaining(line) : expect.stringMatching(line));

  // The preview has applied nothing.
  expect((await gateway.ask('GET', '/v1/plans/free')).body.limits).toEqual({ minute: 1000, day: 100_000 });
  expect((await gateway.ask('GET', '/v1/audit?action=config.reload')).body.items).toEqual([]);
  const settings = (await gateway.ask('GET', '/v1/system/configuration')).body.settings;
  expect(settings.find(({ name }: { name: string }) => name === 'afterSunset').value).toBe('serve');

  expect(JSON.parse((await run('config', 'reload', '--json')).out)).toEqual({
    ...previewed.body,
    from: expect.any(String),
    warnings: expect.any(Array),
  });
  const after = await preview();
  expect(after.body).toMatchObject({ changed: [], restart: ['edge.maxConnections'], files: [], plans: [] });
  // The selectors still match no operation.
  expect(after.body.selectors).toMatchObject([{ matchesNow: false }, { matchesNow: false }]);
});

test('publishers may not preview a reload, and an invalid configuration is refused as in a reload', async () => {
  expect(await preview(PUBLISHER)).toMatchObject({ status: 403 });
  expect(await gateway.ask('POST', '/v1/config/reload', VIEWER)).toMatchObject({ status: 403 });
  gateway.configure(settingsWith({ gaurd: {} }));
  const refused = await preview();
  expect(refused).toMatchObject({ status: 422, body: { code: 'configuration_invalid' } });
  expect(refused.body.details).toEqual((await gateway.reload()).body.details);
});

test('only one preview of a reload runs at a time', async () => {
  gateway.configure(settingsWith());
  const config = loadTestConfig(gateway.dataDir, { VIEWER, PUBLISHER });
  const running = Promise.withResolvers<void>();
  const inForce = new ConfigInForce(config);
  const previewing = new Previewing(
    { fixed: config.fixed, inForce, logger: pino({ level: 'silent' }) },
    {
      previewConfig: () => running.promise.then(() => createUnknownEffects('done')),
      certificates: { public: null, admin: null, portal: null, close: () => {} },
      upstreams: { all: [] },
    },
  );
  const noSubjects = async () => ({ plans: [], keys: [], areKnown: true, incomplete: [] });
  const first = previewing.previewReload(noSubjects);
  await expect(previewing.previewReload(noSubjects)).rejects.toMatchObject({
    code: 'overloaded',
    headers: { 'Retry-After': '1' },
  });
  running.resolve();
  expect(await first).toMatchObject({ incomplete: ['done'] });
  expect(await previewing.previewReload(noSubjects)).toMatchObject({ incomplete: ['done'] });
});
