import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { contractDocument, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';

const upstreams = [
  { name: 'contract', openapi: contractDocument, module: join(root, 'test/support/services/contract-service.ts') },
];
const app = 'https://app.example.com';
let gateway: TestGateway;
let off: TestGateway;

beforeAll(async () => {
  gateway = await startGatewayWithUpstreams(upstreams, { cors: { origins: [app] } });
  off = await startGatewayWithUpstreams(upstreams);
});
afterAll(async () => {
  await gateway.stop();
  await off.stop();
});

const findCorsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe('a preflight', () => {
  const ask = (to: TestGateway, origin: string, path = '/echo', more: Record<string, string> = {}) =>
    to.call(path, {
      method: 'OPTIONS',
      key: null,
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', ...more },
    });

  test('is answered by the gateway without a key, and not charged', async () => {
    const response = await ask(gateway, app, '/echo', { 'Access-Control-Request-Headers': 'x-api-key, content-type' });
    expect(response.status).toBe(204);
    expect(findCorsHeaders(response)).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': 'x-api-key, content-type',
      'access-control-max-age': '600',
      'access-control-expose-headers': expect.stringContaining('X-RateLimit-Remaining'),
    });
    expect(response.headers.get('vary')).toMatch(/Origin, Access-Control-Request-Method/);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('20');
  });

  test('from another origin gets no permission', async () => {
    const response = await ask(gateway, 'https://evil.example');
    expect([response.status, findCorsHeaders(response)]).toEqual([204, {}]);
  });

  test('does not reveal which paths exist', async () => {
    expect((await ask(gateway, app, '/nothing')).status).toBe(204);
  });

  test('is an ordinary request if CORS is off', async () => {
    expect((await ask(off, app)).status).toBe(401);
  });
});

describe('a response', () => {
  const origin = { headers: { Origin: app } };

  test('can be read by an allowed origin, and CORS headers of the upstream are dropped', async () => {
    const response = await gateway.call('/headers', origin);
    expect(findCorsHeaders(response)).toEqual({
      'access-control-allow-origin': app,
      'access-control-expose-headers': expect.stringMatching(/Retry-After.*Deprecation.*X-Request-Id/),
    });
    expect(response.headers.get('vary')).toBe('Origin, X-API-Key, Authorization, Accept');
  });

  test('can be read even if it is a refusal', async () => {
    for (const [path, key, status] of [
      ['/echo', null, 401],
      ['/nothing', gateway.demoKey, 404],
      ['/echo/%', gateway.demoKey, 400],
    ] as const) {
      const response = await gateway.call(path, { ...origin, key });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, app]);
    }
  });

  test('to a request for the API document has a readable ETag, which the browser can use to ask for it again', async () => {
    const path = '/_gateway/openapi.json';
    const first = await gateway.call(path, origin);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('access-control-expose-headers')?.split(', ')).toContain('ETag');
    const asked = {
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match,x-api-key',
    };
    const preflight = await gateway.call(path, { method: 'OPTIONS', key: null, headers: { Origin: app, ...asked } });
    expect(findCorsHeaders(preflight)['access-control-allow-headers']).toBe('if-none-match,x-api-key');
    const again = await gateway.call(path, { headers: { Origin: app, 'If-None-Match': etag } });
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, app]);
  });

  test('cannot be read by other origins', async () => {
    const response = await gateway.call('/headers', { headers: { Origin: 'https://evil.example' } });
    expect([findCorsHeaders(response), response.headers.get('vary')]).toEqual([
      {},
      'Origin, X-API-Key, Authorization, Accept',
    ]);
  });

  test("has the upstream's CORS headers if CORS is off", async () => {
    expect(findCorsHeaders(await off.call('/headers', origin))).toEqual({
      'access-control-allow-origin': 'https://upstream.example',
    });
  });
});
