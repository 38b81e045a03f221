/**
 * Calls of unknown paths and with wrong methods were once free and unlimited, although each of them queried the store.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';

let gateway: TestGateway;
let keys = 0;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test.each([
  ['GET', 'usage', 200],
  ['GET', 'nothing-like-this', 404],
  ['POST', 'usage', 405],
  ['GET', 'key/revoke', 405],
])('60 calls a minute to %s /_gateway/%s get %i, and the next calls get 429', async (method, path, status) => {
  const body = JSON.stringify({ owner: `owner-${++keys}`, name: 'a', plan: 'free' });
  const { key } = (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as { key: string };
  const call = async (callMethod: string, to: string) => {
    const response = await gateway.call(`/_gateway/${to}`, { key, method: callMethod });
    await response.arrayBuffer();
    return response;
  };
  const responses = await Promise.all(Array.from({ length: 60 }, () => call(method, path)));
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([status]));
  for (const refused of [await call(method, path), await call('GET', 'usage')]) {
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
