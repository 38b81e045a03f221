/**
 * If a proxy appends the port to the address of a caller, every limit by address still applies to the address alone.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecret } from '../../../src/domain/key-format.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { root } from '../../support/gateway/gateway.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const FAILED_ATTEMPTS = 3;
const PUBLIC_REQUESTS = 4;
const SIGN_INS = 10;

let portal: Portal;
beforeAll(async () => {
  const folder = temporaryDirectory();
  const openapi = join(folder, 'api.yaml');
  const responses = { 200: { description: 'What was seen' } };
  const paths = {
    '/echo': { get: { operationId: 'getEcho', responses } },
    '/public': { get: { operationId: 'getPublic', security: [], responses } },
  };
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'API', version: '1' }, paths }));
  portal = await startPortal({
    settings: {
      upstreams: [{ name: 'a', openapi, module: join(root, 'test/support/services/contract-service.ts') }],
      trustedProxies: ['127.0.0.1'],
      guard: { failedAttempts: FAILED_ATTEMPTS, publicRequests: PUBLIC_REQUESTS, within: '10m' },
    },
  });
});
afterAll(() => portal.stop());

/**
 * Makes calls from the same address, each with another port.
 *
 * @returns the statuses
 */
async function fromManyPorts(
  address: string,
  times: number,
  call: (headers: Record<string, string>) => Promise<{ readonly status: number }>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let port = 50_000; port < 50_000 + times; port++) {
    const { status } = await call({ 'X-Forwarded-For': `${address}:${port}` });
    statuses.push(status);
  }
  return statuses;
}

/** @returns the given status as many times as the limit allows, and then one 429 */
const untilLimited = (status: number, limit: number) => [...Array<number>(limit).fill(status), 429];

test('failed attempts are limited by address, whatever the port', async () => {
  const guess = (headers: Record<string, string>) => portal.gateway.call('/echo', { key: generateSecret(), headers });
  const limited = untilLimited(401, FAILED_ATTEMPTS);
  expect(await fromManyPorts('203.0.113.1', limited.length, guess)).toEqual(limited);
  expect(await fromManyPorts('[2001:db8::1]', limited.length, guess)).toEqual(limited);
});

test('calls without a key are limited by address, whatever the port', async () => {
  const call = (headers: Record<string, string>) => portal.gateway.call('/public', { key: null, headers });
  const limited = untilLimited(200, PUBLIC_REQUESTS);
  expect(await fromManyPorts('203.0.113.2', limited.length, call)).toEqual(limited);
});

test('attempts with a bad admin token are limited by address, whatever the port', async () => {
  const { adminUrl } = portal.gateway;
  const guess = (headers: Record<string, string>) =>
    fetch(`${adminUrl}/v1/keys`, { headers: { Authorization: 'Bearer guessed', ...headers } });
  const limited = untilLimited(401, SIGN_INS);
  expect(await fromManyPorts('203.0.113.3', limited.length, guess)).toEqual(limited);
});

test('attempts to sign in to the portal are limited by address, whatever the port', async () => {
  const guess = (headers: Record<string, string>) =>
    portal.browser().call('POST', '/api/session', { json: { key: generateSecret() }, headers });
  const limited = untilLimited(401, SIGN_INS);
  expect(await fromManyPorts('203.0.113.4', limited.length, guess)).toEqual(limited);
});

test('a key works only from its allowed addresses, whatever the port', async () => {
  const addresses = ['203.0.113.5', '2001:db8:5::/48'];
  const { key } = await portal.admin('POST', '/v1/keys', { name: 'a', owner: 'acme', plan: 'free', addresses });
  const call = (headers: Record<string, string>) => portal.gateway.call('/echo', { key, headers });
  expect(await fromManyPorts('203.0.113.5', 2, call)).toEqual([200, 200]);
  expect(await fromManyPorts('[2001:db8:5::7]', 2, call)).toEqual([200, 200]);
  expect(await fromManyPorts('203.0.113.6', 1, call)).toEqual([403]);
});

test('callers without a reported address share the limits of the proxy, and the log warns once', async () => {
  const statuses: number[] = [];
  for (let call = 0; call <= FAILED_ATTEMPTS; call++) {
    const headers = { 'X-Forwarded-For': `unknown-${call}` };
    statuses.push((await portal.gateway.call('/echo', { key: generateSecret(), headers })).status);
  }
  expect(statuses).toEqual(untilLimited(401, FAILED_ATTEMPTS));
  const warnings = portal.gateway.logs.filter((line) => line.includes('from a trusted proxy has no address'));
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ proxy: '127.0.0.1', value: 'unknown-0' }]);
});
