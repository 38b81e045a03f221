/**
 * The resources of a request stay open until it ends, even after several reloads, because event streams and WebSockets
 * may last long.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { WebSocket } from 'undici';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { computeAccept, echoFrames } from '../../support/websocket.ts';

/** The state of the module, which tests can read. */
interface Held {
  events: string[];
  answers: ServerResponse[];
  context: { publish(type: string, data: object): Promise<unknown> } | null;
}
const held: Held = { events: [], answers: [], context: null };
Object.assign(globalThis, { heldByReloads: { computeAccept, echoFrames, held } });

const MODULE = `
const { computeAccept, echoFrames, held } = globalThis.heldByReloads;
export default {
  create(_, context) {
    held.context = context;
    held.events.push('opened');
    return {
      handler(req, res) {
        if (req.url === '/held') return void held.answers.push(res);
        if (req.url !== '/stream') return void res.end('now');
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.write('begins, ');
        held.answers.push(res);
      },
      upgrade(req, socket, head) {
        const accept = 'Sec-WebSocket-Accept: ' + computeAccept(req);
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' + accept + '\\r\\n\\r\\n');
        echoFrames(socket, head);
      },
      close() { held.events.push('closed'); },
    };
  },
};`;
const WEBHOOKS = {
  'x-tollgate-events': true,
  webhooks: {
    'thing.made': {
      post: {
        summary: 'A thing was made',
        requestBody: { content: { 'application/json': { schema: { properties: { data: {} } } } } },
        responses: { 200: { description: 'taken' } },
      },
    },
  },
};

const module = { name: 'module', openapi: 'module.yaml', module: 'module.js' };
const other = { name: 'other', openapi: 'other.yaml', targets: ['http://127.0.0.1:9'] };
let service: HttpService;
let gateway: ReloadingGateway;

beforeAll(async () => {
  service = await serveHttp((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write('begins, ');
    held.answers.push(res);
  });
  gateway = await startReloadingGateway((write) => {
    write('package.json', '{"type":"module"}');
    write('module.js', MODULE);
    write('module.yaml', { ...createDocument({ now: {}, stream: {}, held: {} }), ...WEBHOOKS });
    write('service.yaml', createDocument({ outside: {} }));
    write('other.yaml', createDocument({ others: {} }));
    write('plans.yaml', createPlans({ minute: 100_000, day: 100_000 }));
    return { settings: createSettings([other]) };
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

beforeEach(() => void Object.assign(held, { events: [], answers: [] }));
afterEach(async () => {
  for (const response of held.answers) response.end();
  await reloadTo([other]);
});

function createSettings(upstreams: object[], more: object = {}): Record<string, unknown> {
  return { plans: 'plans.yaml', upstreams, ...more };
}

async function reloadTo(upstreams: object[], more: object = {}): Promise<void> {
  gateway.configure(createSettings(upstreams, more));
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { warnings: [] } });
}

/** Reloads twice more. After that, the background work of the previous reload has finished. */
async function waitForBackgroundWork(): Promise<void> {
  for (const maxBody of ['3kb', '4kb']) await reloadTo([other], { edge: { maxBody } });
}

test('a service that one reload keeps and the next removes is closed when its running requests have ended', async () => {
  await reloadTo([other, module]);
  const stream = await gateway.call('/stream');
  await reloadTo([other, module], { rateLimitHeaders: ['x'] });
  await reloadTo([other]);
  await waitForBackgroundWork();
  expect(held.events).toEqual(['opened']);
  held.answers[0]?.end('and ends');
  expect(await stream.text()).toBe('begins, and ends');
  await until(() => held.events.includes('closed'));
});

test('a service that a reload removes is not closed while one of its requests is running', async () => {
  const outside = { name: 'outside', openapi: 'service.yaml', targets: [service.url] };
  await reloadTo([other, outside]);
  const stream = await gateway.call('/outside');
  await reloadTo([other]);
  await waitForBackgroundWork();
  held.answers[0]?.end('and ends');
  expect(await stream.text()).toBe('begins, and ends');
});

test('a WebSocket to a removed service stays open, and the service is closed when it ends', async () => {
  await reloadTo([other, module]);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/now`, {
    headers: { 'x-api-key': gateway.demoKey },
  });
  await once(socket, 'open');
  await reloadTo([other]);
  await waitForBackgroundWork();
  expect(held.events).toEqual(['opened']);
  const echoed = once(socket, 'message');
  socket.send('still there?');
  expect(String((await echoed)[0].data)).toBe('still there?');
  socket.close();
  await until(() => held.events.includes('closed'));
});

test('a reload waits while requests of two earlier configurations are running, except for event streams', async () => {
  await reloadTo([other, module]);
  const streams = [];
  for (const maxBody of ['5kb', '6kb', '7kb']) {
    streams.push(await gateway.call('/stream'));
    await reloadTo([other, module], { edge: { maxBody } });
  }
  const calls = [];
  for (const maxBody of ['8kb', '9kb']) {
    const before = held.answers.length;
    calls.push(gateway.call('/held'));
    await until(() => held.answers.length > before);
    await reloadTo([other, module], { edge: { maxBody } });
  }
  gateway.configure(createSettings([other, module]));
  const reload = gateway.reload();
  const delay = new Promise((resolve) => setTimeout(resolve, 500, 'it waits'));
  expect(await Promise.race([reload, delay])).toBe('it waits');
  held.answers[3]?.end('held');
  expect(await reload).toMatchObject({ status: 200 });
  for (const response of held.answers) response.end('held');
  expect(await Promise.all(calls.map(async (call) => (await call).text()))).toEqual(['held', 'held']);
  for (const stream of streams) expect(await stream.text()).toBe('begins, held');
});

test('a removed service can publish events until it is closed', async () => {
  await reloadTo([other, module]);
  const stream = await gateway.call('/stream');
  await reloadTo([other]);
  await expect(held.context?.publish('thing.made', {})).resolves.toMatchObject({ isNew: true });
  held.answers[0]?.end();
  await stream.text();
  await until(() => held.events.includes('closed'));
  await until(() =>
    held.context!.publish('thing.made', {}).then(
      () => false,
      (error: Error) => error.message.includes('is closed'),
    ),
  );
});

test('a draining gateway is not reloaded', async () => {
  const stopping = await startReloadingGateway((write) => {
    write('service.yaml', createDocument({ outside: {} }));
    write('plans.yaml', createPlans({ minute: 100, day: 100 }));
    const outside = { name: 'outside', openapi: 'service.yaml', targets: [service.url] };
    return { settings: createSettings([outside], { drain: { deadline: '10s' } }) };
  });
  const running = await stopping.call('/outside');
  const stopped = stopping.stop();
  expect(await stopping.reload()).toMatchObject({ status: 503, body: { code: 'shutting_down' } });
  held.answers[0]?.end();
  await running.text();
  await stopped;
});
