import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import findMyWay from 'find-my-way';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { computeAccept, echoFrames } from '../../support/websocket.ts';
import { WebSocket } from 'undici';

/** Starts a service that responds with its name. `held` has the unfinished responses to `/hold`. */
async function serve(name: string): Promise<HttpService & { readonly held: ServerResponse[]; sockets(): number }> {
  const held: ServerResponse[] = [];
  let open = 0;
  const service = await serveHttp((req, res) => {
    if (req.url !== '/hold') return res.end(name);
    res.setHeader('Content-Type', 'text/event-stream');
    res.write(`${name} begins, `);
    held.push(res);
    return undefined;
  });
  service.server.on('connection', (socket) => {
    open++;
    socket.once('close', () => open--);
  });
  return { ...service, held, sockets: () => open };
}

let one: Awaited<ReturnType<typeof serve>>;
let two: Awaited<ReturnType<typeof serve>>;
let gateway: ReloadingGateway;
const BOARD = 'a-token-for-the-board-0123456789abcdef';
const LIMITS = { minute: 100_000, day: 100_000 };

beforeAll(async () => {
  [one, two] = await Promise.all([serve('one'), serve('two')]);
  gateway = await startReloadingGateway((write) => {
    write('service.yaml', createDocument({ now: {}, hold: {} }));
    write('plans.yaml', createPlans(LIMITS));
    return { settings: settingsFor(one), env: { BOARD_TOKEN_FILE: write('board-token', BOARD) } };
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([one.close(), two.close()]);
});

beforeEach(async () => {
  gateway.write('service.yaml', createDocument({ now: {}, hold: {} }));
  gateway.configure(settingsFor(one));
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { restart: [] } });
});

function settingsFor(service: HttpService, more: object = {}): Record<string, unknown> {
  return { plans: 'plans.yaml', upstreams: [upstreamAt(service)], ...more };
}

function upstreamAt({ url }: HttpService): object {
  return { name: 'service', openapi: 'service.yaml', targets: [url] };
}

const readText = async (path: string) => (await gateway.call(path)).text();

test('a reload of an unchanged configuration changes nothing', async () => {
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { changed: [], restart: [], warnings: [] } });
});

/**
 * Processing unchanged documents again would take too long: with 5,000 operations, routing or serializing them blocks
 * the event loop for 100 ms or more.
 */
test('a reload does not process unchanged documents again', async () => {
  const routed = jest.spyOn((findMyWay as unknown as { prototype: { on: () => unknown } }).prototype, 'on');
  const written = jest.spyOn(JSON, 'stringify');
  const operations = () =>
    written.mock.calls.filter(([value]) => Object.hasOwn(Object(value) as object, 'responses')).length;
  const before = await readText('/_gateway/openapi.json');
  const counts = () => [routed.mock.calls.length, operations()];

  const atFirst = counts();
  expect(await gateway.reload()).toMatchObject({ body: { changed: [] } });
  gateway.configure(settingsFor(one, { rateLimitHeaders: ['x'] }));
  expect(await gateway.reload()).toMatchObject({ body: { changed: ['rateLimitHeaders'] } });
  expect(counts()).toEqual(atFirst);
  expect(await readText('/_gateway/openapi.json')).toBe(before);

  // To show that the counters work, change a document.
  gateway.write('service.yaml', createDocument({ now: {}, hold: {}, later: {} }));
  await gateway.reload();
  expect(routed.mock.calls.length).toBeGreaterThanOrEqual(atFirst[0]! + 3);
  expect(operations()).toBeGreaterThanOrEqual(atFirst[1]! + 3);
  expect(await readText('/_gateway/openapi.json')).toContain('"/later"');
  jest.restoreAllMocks();
});

test('running requests finish at the old target, and later ones go to the new target', async () => {
  const held = await gateway.call('/hold');
  expect(await readText('/now')).toBe('one');
  gateway.configure(settingsFor(two));
  expect(await gateway.reload()).toMatchObject({ body: { changed: ['upstreams.service.targets'] } });
  expect(await readText('/now')).toBe('two');
  expect(one.sockets()).toBeGreaterThan(0);
  one.held.pop()?.end('and ends');
  expect(await held.text()).toBe('one begins, and ends');
  await until(() => one.sockets() === 0);
});

test('a reload keeps the connections to an unchanged service', async () => {
  expect(await readText('/now')).toBe('one');
  let opened = 0;
  const count = () => opened++;
  one.server.on('connection', count);
  gateway.configure(settingsFor(one, { rateLimitHeaders: ['x'] }));
  expect(await gateway.reload()).toMatchObject({ body: { changed: ['rateLimitHeaders'] } });
  const response = await gateway.call('/now');
  one.server.off('connection', count);
  expect([await response.text(), response.headers.get('ratelimit'), opened]).toEqual(['one', null, 0]);
});

test('a changed connection setting opens new connections and closes the old ones', async () => {
  expect(await readText('/now')).toBe('one');
  expect(one.sockets()).toBe(1);
  const timeouts = { wait: '1s' };
  const more = { host: 'client', maxConnectionAge: '1m', maxResponseHeader: '32kb', maxStreams: 7, timeouts };
  gateway.configure(settingsFor(one, { upstreams: [{ ...upstreamAt(one), ...more }] }));
  const changed = ['host', 'timeouts.wait', 'maxStreams', 'maxConnectionAge', 'maxResponseHeader'];
  const { body } = await gateway.reload();
  expect(body).toMatchObject({ changed: changed.map((name) => `upstreams.service.${name}`), restart: [] });
  expect(await readText('/now')).toBe('one');
  await until(() => one.sockets() === 1);
});

test('a reload applies a changed document to routing, headers, the list of operations and the public document', async () => {
  expect((await gateway.call('/later')).status).toBe(404);
  const deprecated = { deprecated: true, 'x-deprecated-at': '2026-01-01T00:00:00Z' };
  gateway.write('service.yaml', createDocument({ now: deprecated, later: {} }));
  expect(await gateway.reload()).toMatchObject({ body: { changed: ['upstreams.service.openapi'] } });
  expect((await gateway.call('/later')).status).toBe(200);
  expect((await gateway.call('/hold')).status).toBe(404);
  expect((await gateway.call('/now')).headers.get('deprecation')).toMatch(/^@\d+$/);
  const { body } = await gateway.ask('GET', '/v1/operations');
  expect(body.items.map(({ id }: { id: string }) => id).sort()).toEqual(['later', 'now']);
  const document = (await (await gateway.call('/_gateway/openapi.json')).json()) as { paths: object };
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/later', '/now']));
});

test('a reload applies changed limits of addresses and bodies, and changed CORS settings', async () => {
  const cors = { origins: ['https://app.example.com'] };
  gateway.configure(settingsFor(one, { cors, guard: { failedAttempts: 3 }, edge: { maxBody: '2kb' } }));
  const { body } = await gateway.reload();
  expect(body.changed.sort()).toEqual(['cors.origins', 'edge.maxBody', 'guard.failedAttempts']);
  const response = await gateway.call('/now', { headers: { origin: 'https://app.example.com' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  const statuses = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    statuses.push((await gateway.call('/now', { key: `tg_live_${'A'.repeat(38)}` })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
});

test('after a reload, a new admin token is accepted and a removed one is not', async () => {
  const adminTokens = [{ name: 'board', role: 'viewer', token: '${BOARD_TOKEN}' }];
  gateway.configure(settingsFor(one, { adminTokens }));
  const plansAs = async (token: string) => (await gateway.ask('GET', '/v1/plans', token)).status;
  expect(await plansAs(BOARD)).toBe(401);
  const ofBoard = ['name', 'role', 'token'].map((field) => `adminTokens.board.${field}`);
  expect((await gateway.reload()).body.changed).toEqual(ofBoard);
  expect(await plansAs(BOARD)).toBe(200);
  // Viewers may not reload the configuration.
  expect((await gateway.ask('POST', '/v1/config/reload', BOARD)).status).toBe(403);

  const next = BOARD.toUpperCase();
  gateway.write('board-token', next);
  expect((await gateway.reload()).body.changed).toEqual(['adminTokens.board.token']);
  expect([await plansAs(BOARD), await plansAs(next)]).toEqual([401, 200]);
});

test('a reload applies a changed log level', async () => {
  gateway.configure(settingsFor(one, { logLevel: 'error' }));
  expect(await gateway.reload()).toMatchObject({ body: { changed: ['logLevel'] } });
  const before = gateway.logs.length;
  await readText('/now');
  expect(gateway.logs.length).toBe(before);
  gateway.configure(settingsFor(one, { logLevel: 'info' }));
  await gateway.reload();
  await readText('/now');
  await until(() => gateway.logs.length > before);
});

test('a reload applies plans that changed in the file, unless an operator changed them too', async () => {
  gateway.write('plans.yaml', createPlans({ minute: 7000, day: 70_000 }));
  expect(await gateway.reload()).toMatchObject({ body: { changed: ['plans'], warnings: [] } });
  expect((await gateway.call('/now')).headers.get('x-ratelimit-limit')).toBe('7000');

  const body = JSON.stringify({ name: 'Free', limits: { minute: 8000, day: 80_000 } });
  expect((await gateway.admin('/v1/plans/free', { method: 'PUT', body })).status).toBe(200);
  gateway.write('plans.yaml', createPlans({ minute: 9000, day: 90_000 }));
  const { body: reloaded } = await gateway.reload();
  expect(reloaded.warnings).toEqual([expect.stringContaining('plan free has changed in the file but was not applied')]);
  expect((await gateway.call('/now')).headers.get('x-ratelimit-limit')).toBe('8000');
});

test('a reload lists changed settings that need a restart, and the admin API still shows the current values', async () => {
  gateway.configure(settingsFor(one, { edge: { maxConnections: 5 }, afterSunset: 'gone' }));
  expect(await gateway.reload()).toMatchObject({
    body: { changed: ['afterSunset'], restart: ['edge.maxConnections'] },
  });
  // The next reload still lists the setting that needs a restart.
  expect(await gateway.reload()).toMatchObject({ body: { changed: [], restart: ['edge.maxConnections'] } });
  const { body } = await gateway.ask('GET', '/v1/system/configuration');
  const findValue = (name: string) => body.settings.find((setting: { name: string }) => setting.name === name).value;
  expect([findValue('edge.maxConnections'), findValue('afterSunset')]).toEqual([10_000, 'gone']);
});

test.each([
  ['invalid YAML', 'upstreams: [', 'gateway.yaml'],
  ['an unknown setting', { upstream: [] }, 'is not a known setting'],
  [
    'a missing document',
    { upstreams: [{ name: 'a', openapi: 'no.yaml', targets: ['http://127.0.0.1:1'] }] },
    'no.yaml',
  ],
  [
    'a missing module',
    { upstreams: [{ name: 'a', openapi: 'service.yaml', module: 'no.js' }] },
    'cannot be read (ENOENT)',
  ],
])('a reload with %s fails and changes nothing', async (_, content, message) => {
  gateway.write('gateway.yaml', typeof content === 'string' ? content : { plans: 'plans.yaml', ...content });
  const { status, body } = await gateway.reload();
  expect([status, body.code]).toEqual([422, 'configuration_invalid']);
  expect(JSON.stringify(body.details)).toContain(message);
  expect(await readText('/now')).toBe('one');
  const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  expect(metrics).toContain('tollgate_config_current 0');
});

test('a reload is reported in the log, the audit log and a metric', async () => {
  gateway.configure(settingsFor(two));
  await gateway.admin('/v1/config/reload', { method: 'POST', headers: { 'x-change-reason': 'moved' } });
  const { body } = await gateway.ask('GET', '/v1/audit?action=config.reload&limit=1');
  expect(body.items[0]).toMatchObject({
    actor: 'admin',
    reason: 'moved',
    after: { changed: ['upstreams.service.targets'] },
  });
  expect(gateway.logs.some((line) => line.includes('"msg":"configuration reloaded"'))).toBe(true);
  const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/tollgate_config_reloads_total\{outcome="done"\} [1-9]/);
  expect(metrics).toContain('tollgate_config_current 1');
});

test('a reload leaves an open WebSocket connected to its service', async () => {
  const upgraded: Duplex[] = [];
  one.server.once('upgrade', (req, socket, head) => {
    upgraded.push(socket);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${computeAccept(req)}\r\n\r\n`,
    );
    echoFrames(socket, head);
  });
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/now`, {
    headers: { 'x-api-key': gateway.demoKey },
  });
  await once(socket, 'open');
  gateway.configure(settingsFor(two));
  await gateway.reload();
  expect(await readText('/now')).toBe('two');
  const echoed = once(socket, 'message');
  socket.send('still there?');
  expect(String((await echoed)[0].data)).toBe('still there?');
  socket.close();
  await once(socket, 'close');
});
