import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createMetrics } from '../../../src/telemetry/metrics/metrics.ts';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { contractTarget } from '../../support/gateway/gateway-with-upstreams.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const folder = tempFolder();
let now = Date.UTC(2026, 10, 21, 12, 0, 0);
let gateway: TestGateway;

beforeAll(async () => {
  const plans = join(folder.path, 'plans.yaml');
  const limits = { minute: 5, day: 1000 };
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits }, shadow] }));
  const service = join(root, 'test/support/services/lifecycle');
  const upstreams = [
    { name: 'slow', openapi: `${service}.openapi.yaml`, module: `${service}-service.ts` },
    // Nothing listens on this port.
    { ...contractTarget('http://127.0.0.1:9'), name: 'gone', prefix: '/gone', idPrefix: 'gone.' },
  ];
  gateway = await startTestGateway({ settings: { plans, upstreams }, clock: () => now });
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

const shadow = { id: 'try', name: 'Try', mode: 'shadow', limits: { minute: 1, day: 1000 } };

/** Reads the value of a sample. */
async function sample(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

async function newKey(plan = 'free'): Promise<{ id: string; key: string }> {
  const body = JSON.stringify({ owner: 'acme', name: 'test', plan });
  return (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as { id: string; key: string };
}

async function increases(names: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(names.map(sample));
  await work();
  const after = await Promise.all(names.map(sample));
  return after.map((value, index) => value - (before[index] ?? 0));
}

test('requests are counted by operation, status and plan, and requests for unknown operations as one', async () => {
  const { key } = await newKey();
  const names = [
    'tollgate_requests_total{operation="now",status="200",plan="free"}',
    'tollgate_requests_total{operation="now",status="401",plan="none"}',
    'tollgate_requests_total{operation="none",status="404",plan="free"}',
    'tollgate_requests_total{operation="gateway",status="404",plan="free"}',
    'tollgate_requests_total{operation="none",status="401",plan="none"}',
    'tollgate_refusals_total{reason="route_not_found",upstream=""}',
    'tollgate_request_duration_seconds_count{operation="now"}',
    'tollgate_upstream_duration_seconds_count{upstream="slow"}',
  ];
  const work = async () => {
    await gateway.call('/now', { key });
    await gateway.call('/now', { key: null });
    for (const path of ['/a', '/b', '/_gateway/nothing']) await gateway.call(path, { key });
    await gateway.call('/c', { key: null });
  };
  expect(await increases(names, work)).toEqual([1, 1, 2, 1, 1, 3, 2, 1]);
});

test('failures are counted by upstream, and the counters exist before the first failure', async () => {
  const names = [
    'tollgate_refusals_total{reason="upstream_unreachable",upstream="gone"}',
    'tollgate_refusals_total{reason="upstream_unreachable",upstream="slow"}',
    'tollgate_refusals_total{reason="rate_limit_exceeded",upstream="slow"}',
    'tollgate_upstream_targets_up{upstream="gone"}',
  ];
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  for (const line of [
    `${names[0]} 0`,
    `${names[1]} 0`,
    `${names[3]} 1`,
    'tollgate_upstream_targets{upstream="gone"} 1',
  ])
    expect(text.split('\n')).toContain(line);
  // A module has no targets, so there is no such metric for it.
  expect(text).not.toContain('tollgate_upstream_targets{upstream="slow"}');
  const { key } = await newKey();
  const work = async () => {
    await gateway.call('/gone/echo', { key });
    for (let count = 0; count < 5; count++) await gateway.call('/now', { key });
  };
  expect(await increases(names, work)).toEqual([1, 0, 1, -1]);
  const { components } = (await (await gateway.admin('/v1/system')).json()) as { components: { name: string }[] };
  expect(components.find(({ name }) => name === 'upstream gone')).toMatchObject({
    state: 'away',
    cause: 'http://127.0.0.1:9 is out of rotation: the gateway cannot connect to it',
  });
});

test('latency is measured in seconds, and the latency of the upstream ends with its response headers', async () => {
  const { key } = await newKey();
  const names = [
    'tollgate_request_duration_seconds_sum{operation="stream"}',
    'tollgate_upstream_duration_seconds_sum{upstream="slow"}',
    'tollgate_request_duration_seconds_bucket{operation="stream",le="0.1"}',
    'tollgate_request_duration_seconds_bucket{operation="stream",le="+Inf"}',
  ];
  const [whole = 0, upstream = 0, ...buckets] = await increases(names, async () =>
    (await gateway.call('/stream?ms=300', { key })).text(),
  );
  expect(whole).toBeGreaterThan(0.29);
  // Sending the body took 300 ms more than the head.
  expect(whole - upstream).toBeGreaterThan(0.25);
  expect(buckets).toEqual([0, 1]);
});

test('decisions are counted by plan, window and outcome, and bans by origin', async () => {
  const { key } = await newKey();
  const trial = await newKey('try');
  const names = [
    'tollgate_admission_decisions_total{plan="free",window="none",outcome="allow"}',
    'tollgate_admission_decisions_total{plan="free",window="minute",outcome="deny"}',
    'tollgate_admission_decisions_total{plan="try",window="minute",outcome="shadow_deny"}',
    'tollgate_bans_started_total{origin="strikes"}',
    'tollgate_bans_active',
  ];
  const work = async () => {
    for (let count = 0; count < 6; count++) await gateway.call('/now', { key });
    now += 1001;
    for (let count = 0; count < 10; count++) await gateway.call('/now', { key });
    for (let count = 0; count < 3; count++) await gateway.call('/now', { key: trial.key });
  };
  // The request that starts the ban gets the response for a banned key, so it is not counted for the window.
  expect(await increases(names, work)).toEqual([5, 10, 2, 1, 1]);
  now += 61_000;
  expect(await sample('tollgate_bans_active')).toBe(0);
});

test('clients that disconnect are counted', async () => {
  const { key } = await newKey();
  const aborted = 'tollgate_requests_total{operation="never",status="aborted",plan="free"}';
  const names = [aborted, 'tollgate_responses_cut_off_total'];
  const before = await sample(names[1]!);
  const leave = (path: string) =>
    expect(
      gateway.call(path, { key, signal: AbortSignal.timeout(1500) }).then((response) => response.text()),
    ).rejects.toThrow();
  expect(
    await increases(names, async () => {
      await leave('/never');
      await leave('/stream?ms=5000');
      await until(async () => (await sample(names[1]!)) > before);
    }),
  ).toEqual([1, 1]);
});

test("requests that Node's parser rejects are counted like any other refusal", async () => {
  const names = [
    'tollgate_requests_total{operation="none",status="400",plan="none"}',
    'tollgate_refusals_total{reason="bad_request",upstream=""}',
  ];
  const work = async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
    socket.resume();
    await once(socket, 'close');
  };
  expect(await increases(names, work)).toEqual([1, 1]);
});

test('the address limiter, the credential cache and connections are counted', async () => {
  const names = [
    'tollgate_refusals_total{reason="too_many_failed_attempts",upstream="slow"}',
    'tollgate_directory_lookups_total{result="hit"}',
  ];
  const { key } = await newKey();
  const work = async () => {
    for (let count = 0; count < 22; count++) await gateway.call('/now', { key: 'junk' });
    for (let count = 0; count < 3; count++) await gateway.call('/now', { key });
  };
  expect(await increases(names, work)).toEqual([2, 2]);
  expect(await sample('tollgate_connections')).toBeGreaterThan(0);
  expect(await sample('tollgate_connections_busy')).toBe(0);
});

test('errors, latency and breakers of the store are reported', async () => {
  const { store, scrape } = createMetrics();
  store.error('timeout');
  store.latency(0.002);
  store.breaker('open');
  store.breaker('open');
  store.breaker('closed');
  const { body } = await scrape();
  for (const line of [
    'tollgate_store_errors_total{kind="timeout"} 1',
    'tollgate_store_errors_total{kind="write"} 0',
    'tollgate_store_duration_seconds_bucket{le="0.001"} 0',
    'tollgate_store_duration_seconds_bucket{le="0.0025"} 1',
    'tollgate_store_duration_seconds_sum 0.002',
    'tollgate_store_breakers_open 1',
  ]) {
    expect(body.split('\n')).toContain(line);
  }
});

test('two gateways in one process have separate metrics', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.store.error('write');
  expect((await one.scrape()).body).toContain('tollgate_store_errors_total{kind="write"} 1');
  expect((await other.scrape()).body).toContain('tollgate_store_errors_total{kind="write"} 0');
});

test('metrics contain no secrets', async () => {
  const { key } = await newKey();
  await gateway.call(`/${key}?key=${key}`, { key });
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  for (const secret of [key, gateway.demoKey, gateway.adminToken]) expect(text).not.toContain(secret);
});
