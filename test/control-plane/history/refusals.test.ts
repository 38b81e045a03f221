/**
 * Follows a refused request through the gateway, the collector and the database to the sentences of its explanation.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { explainRefusal } from '../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { HistoryStore } from '../../../src/control-plane/history/store/history-store.ts';
import { HISTORY_FILE } from '../../../src/storage/history-tables.ts';
import { openHistoryClient } from '../../../src/control-plane/history/worker/history-client.ts';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { captureLog } from '../../support/log-lines.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const START = Date.parse('2026-11-21T10:00:03Z');
const HOUR_MS = 3_600_000;
const BROWNOUT = { from: '2026-11-21T11:00:00Z', to: '2026-11-21T12:00:00Z' };
const responses = { 200: { description: 'What was seen' } };
const paths = {
  '/echo': {
    get: { operationId: 'getEcho', responses },
    post: { operationId: 'postEcho', 'x-tollgate-max-body': '10b', responses },
  },
  '/echo/{id}': { get: { operationId: 'getOld', deprecated: true, 'x-brownouts': [BROWNOUT], responses } },
  '/hang': { get: { operationId: 'getHang', 'x-tollgate-cost': 4, responses } },
};

let now = START;
let gateway: TestGateway;
let store: HistoryStore;

/** Sends a request with this id, and reads the whole response. */
async function call(id: string, seconds: number, path = '/echo', init: RequestInit & { key?: string } = {}) {
  now = START + seconds * 1000;
  const response = await gateway.call(path, { ...init, headers: { 'X-Request-Id': id } });
  await response.arrayBuffer();
}

async function newKey(expiresAt: string | null): Promise<{ key: string; id: string }> {
  const body = JSON.stringify({ name: 'k', owner: 'o', plan: 'free', expiresAt });
  const created = (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as never;
  return { key: created['key'], id: created['id'] };
}

beforeAll(async () => {
  const dataDir = temporaryDirectory();
  const openapi = join(dataDir, 'api.yaml');
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'Echo', version: '1' }, paths }));
  const plans = join(dataDir, 'plans.yaml');
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits: { minute: 3, day: 1000 } }] }));
  const upstreams = [{ name: 'a', openapi, module: join(root, 'test/support/services/contract-service.ts') }];
  const settings = { upstreams, plans, bans: { strikes: 2, grace: '0s' } };
  gateway = await startTestGateway({ settings, dataDir, clock: () => now });
  const expiring = await newKey('2026-11-21T10:30:00Z');
  const other = await newKey(null);

  for (const [index, seconds] of [0, 1, 2].entries()) await call(`served-${index}`, seconds);
  await call('first', 10);
  await call('strike', 20);
  await call('costly', 21, '/hang', { key: other.key });
  await call('ban', 25);
  for (let index = 0; index < 6; index++) await call(`loop-${index}`, 26 + index);
  await call('unknown-path', 120, '/ekho?secret=1');
  await call('unknown-method', 121, '/hang', { method: 'POST' });
  await call('body', 122, '/echo', { method: 'POST', body: 'x'.repeat(11) });
  await call('expired', 3000, '/echo', { key: expiring.key });
  await call('brownout', HOUR_MS / 1000 + 60, '/echo/7');
  await call('own-endpoint', HOUR_MS / 1000 + 61, '/_gateway/nothing');
  await gateway.admin(`/v1/keys/${other.id}/ban`, {
    method: 'PUT',
    body: JSON.stringify({ seconds: 600, reason: 'x' }),
  });
  await call('by-hand', HOUR_MS / 1000 + 62, '/echo', { key: other.key });
  await gateway.stop();

  const keep = { minutes: 1e12, hours: 1e12, days: 1e12 };
  const records = { kind: 'sqlite' as const, file: join(dataDir, 'tollgate.db') };
  store = await openHistoryClient(
    { records, file: join(dataDir, HISTORY_FILE), keep, waitMs: 1000 },
    captureLog().logger,
  );
});
afterAll(() => store.close());

async function readSentences(id: string): Promise<readonly string[]> {
  const [found] = await store.findRefusals(id);
  return found === undefined ? [] : explainRefusal(found, { now: START + 24 * HOUR_MS, reader: 'operator' }).sentences;
}

test('the first refusal of a full minute is explained, and that the client kept calling', async () => {
  expect(await readSentences('first')).toEqual([
    'At 2026-11-21 10:00:13 UTC, a call to getEcho was refused with 429 rate_limit_exceeded.',
    'The limit for the minute starting at 10:00:03 had been reached: 3 of 3 requests used (plan free).',
    'This was the first refused request.',
    'The key could be used again from 10:01:03 (Retry-After: 50 seconds).',
    'From 10:00:00 to 10:01:00 the key made 12 requests, 9 of them refused. From 10:01:00 to 10:11:00 it made 3 requests, all refused.',
    'The key had no strikes. 2 strikes within 5 minutes lead to a ban.',
    'The client kept calling: strike 2 at 10:00:28 started a ban.',
    expect.stringMatching(/^What to do: wait/),
  ]);
});

test('a strike is explained, and so is the strike that starts a ban', async () => {
  expect(await readSentences('strike')).toEqual(
    expect.arrayContaining([
      'Requests had been refused since 10:00:13.',
      'The key had 1 strike, a request made without waiting for Retry-After. 2 strikes within 5 minutes lead to a ban.',
    ]),
  );
  expect((await readSentences('ban')).slice(0, 4)).toEqual([
    'At 2026-11-21 10:00:28 UTC, a call to getEcho was refused with 403 key_banned.',
    'The key was banned for 1 minute: it called 2 times within 5 minutes without waiting for Retry-After. This was the ' +
      'last of these calls.',
    'Requests during a ban do not count against the quota and do not prolong the ban.',
    'The key could be used again from 10:01:28 (Retry-After: 1 minute).',
  ]);
});

test('a few refusals per minute of a client in a loop are stored, and the other ids lead to one of them', async () => {
  expect((await readSentences('loop-0'))[1]).toBe(
    'The key was banned at 10:00:28 for 1 minute: it kept calling without waiting for Retry-After.',
  );
  expect((await store.findRefusals('loop-3')).map(({ requestId }) => requestId)).toEqual(['loop-3']);
  for (const id of ['loop-4', 'loop-5']) {
    expect((await store.findRefusals(id)).map(({ requestId }) => requestId)).toEqual(['loop-3']);
  }
});

test.each([
  [
    'costly',
    'a call to getHang was refused with 403 cost_exceeds_limit.',
    'The request costs 4 units, and plan free allows 3 per minute: waiting does not help. The request did not count against the quota.',
  ],
  ['unknown-path', 'GET /ekho was refused with 404 route_not_found.', 'There is no operation at this path.'],
  ['unknown-method', 'POST /hang was refused with 405 method_not_allowed.', 'The path supports GET, HEAD.'],
  [
    'body',
    'a call to postEcho was refused with 413 body_too_large.',
    'The body had 11 bytes; the operation allows 10 bytes.',
  ],
  ['expired', 'a call to getEcho was refused with 401 key_expired.', 'The key expired at 10:30:00.'],
  [
    'brownout',
    'a call to getOld was refused with 410 operation_brownout.',
    'The operation was switched off from 11:00:00 to 12:00:00 because it will be removed.',
  ],
  [
    'by-hand',
    'a call to getEcho was refused with 403 key_banned.',
    'An operator banned the key at 11:01:04, until 11:11:04. The audit log has the reason.',
  ],
])('the refusal of the request %s is explained', async (id, response, reason) => {
  const [opening, why] = await readSentences(id);
  expect([opening?.split(' UTC, ')[1], why]).toEqual([response, reason]);
});

test('served requests and calls to /_gateway are not recorded as refusals', async () => {
  for (const id of ['served-0', 'own-endpoint']) expect(await store.findRefusals(id)).toEqual([]);
});
