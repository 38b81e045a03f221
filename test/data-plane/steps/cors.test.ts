import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { contractDocument, startPlugged } from '../../support/gateway/plugged.ts';

const upstreams = [
  { name: 'contract', openapi: contractDocument, module: join(root, 'test/support/services/contract-service.ts') },
];
const app = 'https://app.example.com';
let gateway: TestGateway;
let off: TestGateway;

beforeAll(async () => {
  gateway = await startPlugged(upstreams, { cors: { origins: [app] } });
  off = await startPlugged(upstreams);
});
afterAll(async () => {
  await gateway.stop();
  await off.stop();
});

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe('a preflight', () => {
  const ask = (to: TestGateway, origin: string, path = '/echo', more: Record<string, string> = {}) =>
    to.call(path, {
      method: 'OPTIONS',
      key: null,
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', ...more },
    });

  test('is answered here, without a key, and charged to nobody', async () => {
    const response = await ask(gateway, app, '/echo', { 'Access-Control-Request-Headers': 'x-api-key, content-type' });
    expect(response.status).toBe(204);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
      'access-control-allow-headers': 'x-api-key, content-type',
      'access-control-max-age': '600',
      'access-control-expose-headers': expect.stringContaining('X-RateLimit-Remaining'),
    });
    expect(response.headers.get('vary')).toMatch(/Origin, Access-Control-Request-Method/);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('20');
  });

  test('from elsewhere allows nothing', async () => {
    const response = await ask(gateway, 'https://evil.example');
    expect([response.status, corsOf(response)]).toEqual([204, {}]);
  });

  test('tells a stranger nothing of which paths there are', async () => {
    expect((await ask(gateway, app, '/nothing')).status).toBe(204);
  });

  test('with CORS off is a method like another', async () => {
    expect((await ask(off, app)).status).toBe(401);
  });
});

describe('an answer', () => {
  const origin = { headers: { Origin: app } };

  test('may be read by the allowed origin; the upstream’s own word of it is dropped', async () => {
    const response = await gateway.call('/headers', origin);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': app,
      'access-control-expose-headers': expect.stringMatching(/Retry-After.*Deprecation.*X-Request-Id/),
    });
    expect(response.headers.get('vary')).toBe('Origin, Accept');
  });

  test('that is a refusal may be read too', async () => {
    for (const [path, key, status] of [
      ['/echo', null, 401],
      ['/nothing', gateway.demoKey, 404],
      ['/echo/%', gateway.demoKey, 400],
    ] as const) {
      const response = await gateway.call(path, { ...origin, key });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, app]);
    }
  });

  test('may not be read from elsewhere', async () => {
    const response = await gateway.call('/headers', { headers: { Origin: 'https://evil.example' } });
    expect([corsOf(response), response.headers.get('vary')]).toEqual([{}, 'Origin, Accept']);
  });

  test('with CORS off says what the upstream says', async () => {
    expect(corsOf(await off.call('/headers', origin))).toEqual({
      'access-control-allow-origin': 'https://upstream.example',
    });
  });
});
