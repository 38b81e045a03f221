/**
 * A cache in front of the gateway once gave callers without a key what a service had responded to somebody else's key,
 * because a stored response without `Vary` matches every request. In these tests, the cache is nginx, which reads only
 * one `Vary` line of a response.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';
import { startNginx, type Nginx } from '../../support/servers/nginx.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const ORIGIN = 'https://app.example.com';
const OLD_KEY = `old_${'k'.repeat(20)}`;
const ALL = 'Origin, X-API-Key, Authorization, X-Old-Key';

/** A module that does the same as the service over HTTP. */
const MODULE = `
export default {
  create: () => ({
    handler(req, res) { answer(req, res); },
    // The refusal is written directly to the socket, as WebSocket libraries do.
    upgrade(req, socket) {
      socket.end('HTTP/1.1 404 Not Found\\r\\nVary: Accept\\r\\nvary: X-Tenant\\r\\nContent-Length: 0\\r\\n\\r\\n');
    },
    close() {},
  }),
};
`;

/** Responds to the caller with the headers that the query names. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  const query = new URL(req.url ?? '', 'http://service').searchParams;
  const status = Number(query.get('status') ?? 200);
  const forCaches = query.getAll('accel').flatMap((seconds) => ['X-Accel-Expires', seconds]);
  const vary = query.getAll('vary').flatMap((names) => ['Vary', names]);
  const headers = [...forCaches, 'Cache-Control', query.get('cache') ?? 'public, max-age=60', ...vary];
  const caller = String(req.headers['x-consumer-id'] ?? 'nobody');
  res.writeHead(status, headers).end(status === 304 ? undefined : `for ${caller}`);
}

let service: HttpService;
let gateway: TestGateway;
let nginx: Nginx;

beforeAll(async () => {
  const folder = temporaryDirectory();
  const [openapi, module] = [join(folder, 'api.yaml'), join(folder, 'module.mjs')];
  const responses = { 200: { description: 'For the caller' } };
  const paths = { '/public': { get: { operationId: 'getPublic', security: [], responses } } };
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'API', version: '1' }, paths }));
  writeFileSync(module, `${MODULE}\n${answer.toString()}`);
  service = await serveHttp(answer);
  gateway = await startGatewayWithUpstreams(
    [
      { name: 'http', openapi, targets: [service.url] },
      { name: 'module', openapi, module, prefix: '/module', idPrefix: 'module.' },
    ],
    {
      cors: { origins: [ORIGIN] },
      keys: { foreign: [{ header: 'X-Old-Key', prefix: 'old_', minLength: 20 }] },
      guard: { publicRequests: 1000 },
    },
  );
  const preview = { prefix: OLD_KEY.slice(0, 7), lastFour: OLD_KEY.slice(-4) };
  const imported = { name: 'a', owner: 'moved', plan: 'free', ...preview };
  const keys = [{ ...imported, sha256: createHash('sha256').update(OLD_KEY).digest('hex') }];
  const body = JSON.stringify({ random: true, keys });
  expect((await gateway.admin('/v1/keys/import', { method: 'POST', body })).status).toBe(201);
  nginx = await startNginx(
    (port, files) => `proxy_cache_path ${files}/cache keys_zone=responses:1m;
    server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass ${gateway.url};
        proxy_cache responses;
        add_header X-Cache $upstream_cache_status;
      }
    }`,
  );
});
afterAll(async () => {
  await nginx.stop();
  await gateway.stop();
  await service.close();
});

const callers: Record<string, () => Record<string, string>> = {
  demo: () => ({ 'X-API-Key': gateway.demoKey }),
  'demo, with a bearer token': () => ({ Authorization: `Bearer ${gateway.demoKey}` }),
  moved: () => ({ 'X-Old-Key': OLD_KEY }),
  nobody: () => ({}),
};

describe.each(['/public', '/module/public'])('for %s', (path) => {
  let query = 0;
  beforeEach(() => void query++);

  test.each(['public, max-age=60', 'no-store', 'private, max-age=60'])(
    'a cache never gives one caller the response to another, with Cache-Control: %s',
    async (cacheControl) => {
      const url = `${nginx.url}${path}?query=${query}&cache=${encodeURIComponent(cacheControl)}`;
      const isStored = cacheControl.startsWith('public');
      for (const state of ['MISS', isStored ? 'HIT' : 'MISS']) {
        for (const [name, headers] of Object.entries(callers)) {
          const response = await fetch(url, { headers: headers() });
          const expected = [200, `for ${name.split(',', 1)[0]}`, state];
          expect([response.status, await response.text(), response.headers.get('x-cache')]).toEqual(expected);
        }
      }
    },
  );

  test.each([
    ['', ALL],
    ['vary=Accept&vary=Accept-Encoding,origin', `${ALL}, Accept, Accept-Encoding`],
    ['status=304', ALL],
    ['status=404', ALL],
    ['vary=*', '*'],
    ['cache=no-store', 'Origin'],
    ['cache=private&vary=Accept', 'Origin, Accept'],
    // A cache that reads this header stores the response in spite of `private`.
    ['cache=private&accel=60', ALL],
  ])('a request with the query %j gets one Vary: %s, with or without a key', async (more, expected) => {
    for (const key of [`X-API-Key: ${gateway.demoKey}`, 'Accept: */*']) {
      const connection = new RawConnection(gateway.url);
      connection.send(`GET ${path}?${more} HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`);
      const { head } = await connection.readResponse();
      connection.close();
      expect(head.match(/^vary: .*$/gim)).toEqual([`Vary: ${expected}`]);
    }
  });
});

test('a response to a WebSocket handshake has Vary, too', async () => {
  const connection = new RawConnection(gateway.url);
  const handshake = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: abc';
  connection.send(`GET /module/public HTTP/1.1\r\nHost: x\r\n${handshake}\r\n\r\n`);
  const { status, head } = await connection.readResponse();
  connection.close();
  expect([status, head.match(/^vary: .*$/gim)]).toEqual([404, [`Vary: ${ALL}, Accept, X-Tenant`]]);
});

test('the gateway’s own responses, which no cache may store, vary only by Origin', async () => {
  const refused = await gateway.call('/nowhere', { key: null });
  expect([refused.headers.get('cache-control'), refused.headers.get('vary')]).toEqual(['no-store', 'Origin']);
});
