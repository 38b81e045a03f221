import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Decision } from '../../../../src/data-plane/admission/decide.ts';
import { RedisStore } from '../../../../src/data-plane/admission/redis/redis-store.ts';
import { Outage } from '../../../../src/data-plane/admission/resilient/outage.ts';
import { ResilientStore } from '../../../../src/data-plane/admission/resilient/resilient-store.ts';
import type { AdmissionRequest } from '../../../../src/data-plane/admission/store.ts';
import { connectRedis } from '../../../../src/storage/redis/redis-connection.ts';
import { defaultPolicy } from '../../../support/models/admission-history.ts';
import { captureLog } from '../../../support/log-lines.ts';
import { until } from '../../../support/until.ts';
import { startCluster } from '../../../support/servers/redis-cluster.ts';
import { RedisServer, type RedisServerOptions } from '../../../support/servers/redis-server.ts';
import { measureTime } from '../../../support/stopwatch.ts';

/** Long enough for Redis to respond on a busy machine. */
const TIMEOUT_MS = 600;
/** Options for tests in which the server responds, however late. */
const RESPONDING_OPTIONS = { timeoutMs: 5000 };
const limits = { minute: 10, day: 1000 };

const toClose: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});

async function startServer(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await RedisServer.start(options);
  toClose.push(() => server.stop());
  return server;
}

async function open(url: string, { replicas = 2, policy = defaultPolicy, waitMs = 3000, timeoutMs = TIMEOUT_MS } = {}) {
  const log = captureLog();
  const connection = connectRedis({ url, purpose: 'admission', logger: captureLog().logger });
  const recorded = {
    failures: new Set<string>(),
    breaker: [] as string[],
    latencies: [] as number[],
    outages: [] as (string | number)[],
  };
  const metrics = {
    error: (kind: string) => void recorded.failures.add(kind),
    latency: (seconds: number) => void recorded.latencies.push(seconds),
    breaker: (state: string) => void recorded.breaker.push(state),
  };
  const exact = new RedisStore({ connection, prefix: 'tg', policy, timeoutMs, metrics });
  const outage = new Outage({
    onDegraded: (reason) => void recorded.outages.push(reason),
    onRecovered: (degradedForMs) => void recorded.outages.push(degradedForMs),
  });
  const store = new ResilientStore({ store: exact, policy, replicas, logger: log.logger, metrics, outage });
  toClose.push(async () => {
    await store.close();
    connection.close();
  });
  await connection.ready(waitMs);
  const admit = async (request: Partial<AdmissionRequest> = {}): Promise<Decision> =>
    store.admit({ quotaId: 'a', cost: 1, limits, mode: 'enforce', ...request });
  return { store, exact, admit, recorded, failure: connection.failure, ...log };
}

const isExact = (decision: Decision) => decision.degraded !== true;
const summarizeLines = (lines: Record<string, unknown>[]) =>
  lines.map(({ level, failure, reason, msg }) => ({ level, failure, reason, msg }));

describe('while Redis hangs', () => {
  test('only the first requests wait for the timeout, and later counts are exact without late charges', async () => {
    const server = await startServer();
    const { store, exact, admit, lines, recorded } = await open(server.url);
    await admit();
    server.pause();
    const first = await measureTime(() => Promise.all([admit(), admit(), admit()]));
    expect(first.ms).toBeLessThan(20 * TIMEOUT_MS);
    expect(first.value.every(({ degraded }) => degraded)).toBe(true);
    const { ms } = await measureTime(async () => {
      for (let i = 0; i < 20; i++) await admit();
    });
    expect(ms).toBeLessThan(10 * TIMEOUT_MS);
    server.resume();
    await until(() => store.degraded === null);
    expect((await exact.inspect('a', limits)).minute.used).toBe(1);
    expect(isExact(await admit())).toBe(true);
    expect(lines.map(({ msg, reason }) => [msg, reason])).toEqual([
      [
        'limits are not exact: the shared counters are unavailable',
        expect.stringMatching(/^Redis did not answer in time/),
      ],
      ['limits are exact again', undefined],
    ]);
    expect({ ...recorded, failures: [...recorded.failures] }).toMatchObject({
      failures: ['timeout'],
      breaker: ['open', 'closed'],
    });
    const longest = Math.max(...recorded.latencies) * 1000;
    expect(longest).toBeGreaterThan(0.9 * TIMEOUT_MS);
    expect(longest).toBeLessThan(60 * TIMEOUT_MS);
  });

  test('the store recovers from a hang that outlasts the connections, and reports it', async () => {
    const server = await startServer();
    const { store, admit, recorded } = await open(server.url);
    await admit();
    server.pause();
    await admit();
    await sleep(3500);
    server.resume();
    await until(() => store.degraded === null);
    expect(await admit()).toMatchObject({ minute: { used: 2, limit: 10 } });
    expect(recorded.outages).toEqual([expect.stringMatching(/^Redis did not answer in time/)]);
    await store.close();
    expect(recorded.outages.slice(1)).toEqual([expect.any(Number)]);
    expect(recorded.outages[1]).toBeGreaterThan(3000);
  });

  test('commands that arrive late have no effect', async () => {
    const server = await startServer();
    const { exact } = await open(server.url);
    await exact.inspect('a', limits);
    server.pause();
    const pending = [
      exact.admit({ quotaId: 'a', cost: 1, limits, mode: 'enforce' }),
      exact.ban('a', 60_000),
      exact.reset('a'),
      exact.lift('a'),
    ];
    expect(new Set((await Promise.allSettled(pending)).map(({ status }) => status))).toEqual(new Set(['rejected']));
    server.resume();
    await until(async () => (await server.client.ping()) === 'PONG');
    expect(await exact.inspect('a', limits)).toMatchObject({ minute: { used: 0 }, ban: null });
  });

  test('a busy gateway does not mistake its own delay for a delay of Redis', async () => {
    const server = await startServer();
    const timeoutMs = 300;
    const { admit } = await open(server.url, { timeoutMs });
    await admit();
    const response = admit();
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        const from = performance.now();
        // After a second of silence, the connection would be closed.
        while (performance.now() - from < 1.5 * timeoutMs);
        resolve();
      });
    });
    expect(isExact(await response)).toBe(true);
  });
});

describe('while Redis is unavailable', () => {
  async function openWithoutRedis(options?: Parameters<typeof open>[1]) {
    const server = await startServer();
    const opened = await open(server.url, options);
    return { server, ...opened, leave: () => server.kill() };
  }

  test('a plan with `local` gets its share of the limits, by the same rules', async () => {
    const { admit, leave, store } = await openWithoutRedis({ replicas: 3 });
    await leave();
    const decisions = [];
    for (let i = 0; i < 5; i++) decisions.push(await admit());
    expect(decisions.map(({ admitted }) => admitted)).toEqual([true, true, true, false, false]);
    expect(decisions[4]).toMatchObject({
      outcome: 'minute_exhausted',
      degraded: true,
      minute: { limit: 3, used: 3, remaining: 0 },
      day: { limit: 333 },
    });
    expect(await store.inspect('a', limits)).toMatchObject({ degraded: true, minute: { limit: 3, used: 3 } });
  });

  test('the local share admits at least one request of any cost that fits the full limit', async () => {
    const { admit, leave } = await openWithoutRedis({ replicas: 100 });
    await leave();
    expect(await admit({ quotaId: 'small' })).toMatchObject({ admitted: true, minute: { limit: 1 } });
    expect(await admit({ quotaId: 'small' })).toMatchObject({ admitted: false });
    expect(await admit({ quotaId: 'dear', cost: 7 })).toMatchObject({ admitted: true, minute: { limit: 7 } });
    expect(await admit({ quotaId: 'dear', cost: 11 })).toMatchObject({ outcome: 'cost_exceeds_limit' });
  });

  test('a plan with `open` admits and counts all requests', async () => {
    const { admit, leave } = await openWithoutRedis({ replicas: 5 });
    await leave();
    for (let used = 1; used <= 4; used++) {
      const decision = await admit({ onStoreFailure: 'open' });
      expect(decision).toMatchObject({ admitted: true, degraded: true, minute: { used } });
    }
  });

  test('a plan with `closed` refuses all requests', async () => {
    const { admit, leave } = await openWithoutRedis();
    await leave();
    await expect(admit({ onStoreFailure: 'closed' })).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });

  test('known bans apply until they end, except in shadow mode', async () => {
    const { admit, leave, store } = await openWithoutRedis({ policy: { ...defaultPolicy, strikes: 1, graceMs: 1 } });
    const { until: end } = await store.ban('by-hand', 60_000);
    for (let i = 0; i < 12; i++) await admit({ quotaId: 'automatic' });
    await sleep(5);
    const { ban } = await admit({ quotaId: 'automatic' });
    expect(ban).toMatchObject({ manual: false });
    await store.ban('lifted', 60_000);
    await store.lift('lifted');
    await store.ban('short', 150);
    await leave();
    for (const onStoreFailure of ['local', 'open'] as const) {
      const held = { admitted: false, outcome: 'banned', degraded: true };
      expect(await admit({ quotaId: 'by-hand', onStoreFailure })).toMatchObject({ ...held, retryAt: end });
      expect(await admit({ quotaId: 'by-hand', onStoreFailure, mode: 'shadow' })).toMatchObject(held);
      expect(await admit({ quotaId: 'automatic', onStoreFailure })).toMatchObject({ ...held, ban });
      expect(await admit({ quotaId: 'automatic', onStoreFailure, mode: 'shadow' })).toMatchObject({ admitted: true });
      expect(await admit({ quotaId: 'lifted', onStoreFailure })).toMatchObject({ admitted: true });
    }
    await sleep(200);
    expect(await admit({ quotaId: 'short' })).toMatchObject({ admitted: true, ban: null });
  });

  test('no strikes are earned', async () => {
    const { admit, leave } = await openWithoutRedis({ policy: { ...defaultPolicy, strikes: 1, graceMs: 1 } });
    await leave();
    for (let i = 0; i < 30; i++) {
      expect(await admit()).toMatchObject({ strikes: 0, banStarted: false });
      await sleep(1);
    }
  });

  test('changes by operators are refused, and not applied later', async () => {
    const { leave, store, server } = await openWithoutRedis();
    await leave();
    await expect(store.ban('a', 60_000)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await expect(store.lift('a')).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await expect(store.reset('a')).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await server.start();
    await until(() => store.degraded === null);
    expect(await store.inspect('a', limits)).toMatchObject({ ban: null });
  });

  test('repeated outages do not grant a new share of the limits', async () => {
    const { admit, leave, store, server } = await openWithoutRedis();
    for (let outage = 0; outage < 2; outage++) {
      await leave();
      for (let i = 0; i < 5; i++) expect((await admit()).admitted).toBe(outage === 0);
      await server.start();
      await until(() => store.degraded === null);
    }
  });
});

describe('the configured mode applies, and the failure is logged once and counted, with', () => {
  /** Calls for a second, so that a log line per request or per attempt would be noticed. */
  async function observe({ admit, lines, recorded }: Awaited<ReturnType<typeof open>>, quotaId = 'a') {
    const decisions = [];
    for (let i = 0; i < 50; i++) {
      decisions.push(await admit({ quotaId }));
      await sleep(20);
    }
    expect(decisions.every(({ degraded }) => degraded)).toBe(true);
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(5);
    return { lines: summarizeLines(lines), failures: [...recorded.failures] };
  }

  const line = (failure: string) => [
    {
      level: 40,
      failure,
      reason: expect.stringMatching(/^Redis /),
      msg: expect.stringMatching(/^limits are not exact/),
    },
  ];

  test('a server that accepts and closes connections', async () => {
    const listener = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    toClose.push(() => void listener.close());
    const seen = await observe(
      await open(`redis://127.0.0.1:${(listener.address() as AddressInfo).port}`, { waitMs: 200 }),
    );
    expect(seen).toEqual({ lines: line('unreachable'), failures: ['unreachable'] });
  });

  test('a wrong password', async () => {
    const server = await startServer({ password: 'right' });
    const opened = await open(server.url.replace('right', 'wrong'), { waitMs: 0 });
    await until(() => opened.failure()?.kind === 'refused');
    const seen = await observe(opened);
    expect(seen).toEqual({ lines: line('refused'), failures: ['refused'] });
  });

  test('a replica', async () => {
    const replica = await startServer({ replicaOf: await startServer() });
    const seen = await observe(await open(replica.url, RESPONDING_OPTIONS));
    expect(seen).toEqual({ lines: line('read_only'), failures: ['read_only'] });
  });

  test('a server that is out of memory', async () => {
    const server = await startServer({ settings: { maxmemory: '1' } });
    const seen = await observe(await open(server.url, RESPONDING_OPTIONS));
    expect(seen).toEqual({ lines: line('out_of_memory'), failures: ['out_of_memory'] });
  });

  test('a key with foreign data, while all other keys stay exact', async () => {
    const server = await startServer();
    const opened = await open(server.url, RESPONDING_OPTIONS);
    await server.client.lpush('tg:q:{list}', 'x');
    await server.client.set('tg:q:{text}', 'hello');
    for (const quotaId of ['list', 'text']) {
      opened.lines.length = 0;
      const seen = await observe(opened, quotaId);
      expect(seen.failures).toEqual(['bad_data']);
      expect(seen.lines).toEqual([
        { level: 50, failure: 'bad_data', reason: expect.any(String), msg: 'cannot use the counters of a key' },
      ]);
    }
    expect(isExact(await opened.admit())).toBe(true);
    await server.client.del('tg:q:{list}');
    expect(isExact(await opened.admit({ quotaId: 'list' }))).toBe(true);
  });
});

test('after a failover behind the same host name, the connection finds the new primary', async () => {
  const master = await startServer();
  const replica = await startServer({ replicaOf: master });
  let target = replica;
  const name = createServer((inbound) => {
    const outbound = connect(target.port, '127.0.0.1');
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => name.listen(0, '127.0.0.1', resolve));
  toClose.push(() => void name.close());
  const { store, admit } = await open(`redis://127.0.0.1:${(name.address() as AddressInfo).port}`, RESPONDING_OPTIONS);
  expect(isExact(await admit())).toBe(false);
  target = master;
  await until(() => store.degraded === null);
  expect(isExact(await admit())).toBe(true);
});

describe('on a cluster', () => {
  test('admission is exact, and continues for the other keys when one node dies', async () => {
    const cluster = await startCluster();
    toClose.push(() => cluster.stop());
    for (const { client } of cluster.nodes) await client.config('SET', 'cluster-require-full-coverage', 'no');
    const { admit, store, exact } = await open(cluster.url, { waitMs: 5000 });
    const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
    for (const quotaId of keys) {
      const decisions = await Promise.all(Array.from({ length: 15 }, () => admit({ quotaId })));
      expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(10);
      expect(decisions.every(isExact)).toBe(true);
    }

    const [dead] = cluster.nodes;
    const theirs = (quotaId: string) => exact.findShard(quotaId).endsWith(`:${dead!.port}`);
    expect(new Set(keys.map((quotaId) => exact.findShard(quotaId))).size).toBe(3);
    await dead!.kill();
    for (const quotaId of keys) {
      const { ms, value } = await measureTime(() => admit({ quotaId }));
      expect(ms).toBeLessThan(20 * TIMEOUT_MS);
      expect({ quotaId, exact: isExact(value) }).toEqual({ quotaId, exact: !theirs(quotaId) });
    }
    await dead!.start();
    await until(() => store.degraded === null);
    // On a busy machine, a command may still take too long.
    for (const quotaId of keys) await until(async () => isExact(await admit({ quotaId })));
  });
});
