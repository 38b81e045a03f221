import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { contractDocument, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGatewayWithUpstreams(
    [{ name: 'contract', openapi: contractDocument, module: join(root, 'test/support/services/contract-service.ts') }],
    { guard: { publicRequests: 3 } },
  );
});
afterAll(() => gateway.stop());

test('an operation with security: [] needs no key, and is limited by address', async () => {
  const calls = [];
  for (let call = 0; call < 4; call++) calls.push(await gateway.call('/public', { key: null }));
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(calls.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['3', '3', '3', '3']);
  expect(calls.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
  expect(Number(calls[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await calls[3]?.json()).toMatchObject({ code: 'rate_limit_exceeded' });
  const seen = await calls[1]?.json();
  expect(seen).toMatchObject({ url: '/public' });
  expect(JSON.stringify(seen)).not.toMatch(/x-consumer-id|x-api-key/i);
});

/** A valid key once got 429 if other callers at its address had used up the limit of that address. */
test('a request with a key is authenticated, charged and limited as for any operation', async () => {
  for (let call = 0; call < 4; call++) await gateway.call('/public', { key: null });
  const response = await gateway.call('/public');
  expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, '1000000']);
  expect(JSON.stringify(await response.json())).toMatch(/x-consumer-id/i);
  const { windows } = (await (await gateway.call('/_gateway/usage')).json()) as { windows: { used: number }[] };
  expect(windows[0]?.used).toBe(1);
  const bad = await gateway.call('/public', { key: 'nonsense' });
  expect([bad.status, await bad.json()]).toEqual([401, expect.objectContaining({ code: 'key_invalid' })]);
});

test('calls without a key do not use up other limits of the address', async () => {
  const response = await gateway.call('/echo');
  expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, '999998']);
  // The invalid key above has used up one of the twenty failed attempts.
  expect((await gateway.call('/echo', { key: null })).headers.get('x-ratelimit-remaining')).toBe('19');
});

test('the document for consumers shows the operation as public', async () => {
  const document = (await (await gateway.call('/_gateway/openapi.json')).json()) as {
    paths: Record<string, Record<string, { security?: unknown; responses: object }>>;
  };
  expect(document.paths['/public']?.['get']).toMatchObject({ security: [{}, { ApiKey: [] }] });
  expect(Object.keys(document.paths['/public']?.['get']?.responses ?? {})).toEqual(['200', '401', '403', '429', '503']);
  expect(document.paths['/echo']?.['get']?.security).toBeUndefined();
});
