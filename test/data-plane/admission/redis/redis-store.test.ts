import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ban, lift, type BanPolicy, toBanView, computeExpiry } from '../../../../src/data-plane/admission/ban-rules.ts';
import { decide } from '../../../../src/data-plane/admission/decide.ts';
import { initialState, type State } from '../../../../src/data-plane/admission/state.ts';
import { reset, advance } from '../../../../src/data-plane/admission/windows.ts';
import { inspect } from '../../../../src/data-plane/admission/quota-usage.ts';
import type { Limits } from '../../../../src/domain/quota-limits.ts';
import { RedisStore } from '../../../../src/data-plane/admission/redis/redis-store.ts';
import { connectRedis, type RedisConnection } from '../../../../src/storage/redis/redis-connection.ts';
import { admissionStoreContract } from '../../../contract/admission-store.contract.ts';
import { histories, type History, play, defaultPolicy } from '../../../support/models/admission-history.ts';
import { captureLog } from '../../../support/log-lines.ts';
import { until } from '../../../support/until.ts';
import { RedisServer } from '../../../support/servers/redis-server.ts';
import { CLOCK_KEY, KEPT_KEY, testClock } from '../../../support/test-clock.ts';

const noon = Date.UTC(2026, 0, 6, 12);
const limits = { minute: 5, day: 8 };
/** A long timeout, so that a busy machine does not fail tests that are not about time. */
const timeoutMs = 5000;

/** This server is not shared with other test files, because tests count its commands and delete its scripts. */
let server: RedisServer;
let connection: RedisConnection;

beforeAll(async () => {
  server = await RedisServer.start();
  connection = connectRedis({ url: server.url, purpose: 'test', logger: captureLog().logger });
  await connection.ready(5000);
});
afterAll(async () => {
  connection.close();
  await server.stop();
});

function open(policy: BanPolicy = defaultPolicy, clock?: string, prefix = 'tg'): RedisStore {
  return new RedisStore({ connection, prefix, policy, timeoutMs, ...(clock && { clock }) });
}

const setClock = (now: number) => server.client.set(CLOCK_KEY, now);

admissionStoreContract('The store in Redis', {
  policy: defaultPolicy,
  async open() {
    await server.client.flushall();
    await setClock(noon);
    return open(defaultPolicy, testClock);
  },
  clock: { advance: async (ms) => void (await server.client.incrby(CLOCK_KEY, ms)) },
});

describe('the script and decide()', () => {
  let quotas = 0;

  /** Plays a history against the store and decide(), and compares all results after every step. */
  async function compare(history: History): Promise<void> {
    const { policy } = history;
    const store = open(policy, testClock);
    const quotaId = `history-${quotas++}`;
    let state = initialState;
    let agreed = history.limits;
    // The month has its own key, which contains the time it was written.
    let monthSeen = 0;
    let isExpired = true;
    const kept = async (kind: 'q' | 'm') => Number(await server.client.get(`${KEPT_KEY}tg:${kind}:{${quotaId}}`));
    const settle = async (after: State, now: number, isMonthWritten = false) => {
      const { month } = after;
      if (month === null) monthSeen = 0;
      else if (isMonthWritten) monthSeen = after.seen;
      if (month !== null && isMonthWritten) expect(await kept('m')).toBe(month.end);
      const left = computeExpiry({ ...after, month: null }, policy) - now;
      // Neither the store nor the expected state keeps what has expired.
      isExpired = left <= 0;
      state = left > 0 ? after : { ...initialState, seen: monthSeen, month };
      if (left > 0) expect(await kept('q')).toBe(now + left);
    };
    for (const step of play(history)) {
      const { now } = step;
      await setClock(now);
      if (step.do === 'admit') {
        const { cost, mode } = step;
        agreed = step.limits;
        // When a quota has expired, only its month still has a time, and the month is not read without a limit.
        if (agreed.month === undefined && isExpired) state = { ...state, seen: 0 };
        const expected = decide(state, now, cost, agreed, policy, mode);
        expect(await store.admit({ quotaId, cost, limits: agreed, mode })).toEqual(expected.decision);
        await settle(expected.state, now, agreed.month !== undefined);
      } else if (step.do === 'ban') {
        const after = ban(state, now, step.ms, policy);
        expect(await store.ban(quotaId, step.ms)).toEqual(toBanView(after));
        await settle(after, now);
      } else if (step.do === 'lift') {
        expect(await store.lift(quotaId)).toEqual(toBanView(advance(state, now)));
        await settle(lift(state, now), now);
      } else {
        await store.reset(quotaId, step.window);
        await settle(reset(state, now, step.window), now);
      }
      expect(await store.inspect(quotaId, agreed)).toEqual(inspect(state, now, agreed));
    }
  }

  test('agree in every field over any history', async () => {
    await fc.assert(fc.asyncProperty(histories(), compare), { numRuns: 1500, endOnFailure: true });
  });

  test('agree at edge cases that random tests rarely reach', async () => {
    const start = Date.UTC(2026, 0, 5, 23, 59);
    const policy = { ...defaultPolicy, strikes: 1, forgiveAfterMs: 90_000 };
    // Both windows end at the same time, after refusals at different times.
    await compare({
      start,
      policy,
      limits: { minute: 1, day: 5 },
      events: [
        { do: 'burst', count: 2, gap: 0, cost: 1 },
        { do: 'wait', ms: 2000 },
        { do: 'limits', limits: { minute: 1, day: 1 } },
        { do: 'admit', cost: 1 },
      ],
    });
    // A ban at the exact time at which the previous one is forgiven.
    await compare({
      start: start + 60_000,
      policy,
      limits: { minute: 1, day: 5 },
      events: [
        { do: 'burst', count: 3, gap: 1001, cost: 1 },
        { do: 'edge', of: 'forgiveness', offset: 0 },
        { do: 'ban', ms: 1000 },
      ],
    });
  });

  test('agree on requests sent together, which are decided one after another', async () => {
    const request = fc.record({
      quota: fc.nat(3),
      cost: fc.integer({ min: 1, max: 3 }),
      mode: fc.constantFrom('enforce' as const, 'shadow' as const),
      minute: fc.integer({ min: 1, max: 12 }),
    });
    const bursts = fc.array(fc.record({ after: fc.nat(70_000), requests: fc.array(request, { maxLength: 150 }) }), {
      maxLength: 4,
    });
    const policy = { ...defaultPolicy, strikes: 2, graceMs: 1 };
    await fc.assert(
      fc.asyncProperty(bursts, async (history) => {
        const run = quotas++;
        const store = open(policy, testClock, `burst-${run}`);
        const states = new Map<number, State>();
        let now = noon;
        for (const { after, requests } of history) {
          now += after;
          await setClock(now);
          const expected = requests.map(({ quota, cost, mode, minute }) => {
            const decided = decide(states.get(quota) ?? initialState, now, cost, { minute, day: 40 }, policy, mode);
            states.set(quota, decided.state);
            return decided.decision;
          });
          const decisions = requests.map(({ quota, cost, mode, minute }) =>
            store.admit({ quotaId: `q${quota}`, cost, limits: { minute, day: 40 }, mode }),
          );
          expect(await Promise.all(decisions)).toEqual(expected);
        }
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  test('count the same up to the largest safe integer', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const large: Limits = { minute: most - 7, day: most };
    const store = open(defaultPolicy, testClock);
    let state = initialState;
    for (const cost of [most - 7, 1, 3, most - 7]) {
      await setClock(noon + (cost % 2));
      const expected = decide(state, noon + (cost % 2), cost, large, defaultPolicy);
      expect(await store.admit({ quotaId: 'large', cost, limits: large, mode: 'enforce' })).toEqual(expected.decision);
      state = expected.state;
    }
  });
});

describe('in Redis', () => {
  const admit = (store: RedisStore, quotaId: string) => store.admit({ quotaId, cost: 1, limits, mode: 'enforce' });

  test('the scripts are loaded again after SCRIPT FLUSH', async () => {
    const store = open();
    await admit(store, 'flushed');
    await server.client.script('FLUSH');
    const decisions = await Promise.all(Array.from({ length: 7 }, () => admit(store, 'flushed')));
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(4);
  });

  test('a request takes one command', async () => {
    const store = open();
    await admit(store, 'counted');
    const commands = async () => /total_commands_processed:(\d+)/.exec(await server.client.info('stats'))?.[1];
    const before = Number(await commands());
    for (let i = 0; i < 10; i++) await admit(store, 'counted');
    const inScript = 3;
    expect(Number(await commands()) - before).toBeLessThanOrEqual(10 * (1 + inScript) + 1);
  });

  test('requests that arrive together are sent in one or a few commands', async () => {
    const store = open();
    await admit(store, 'together');
    const scripts = async () => {
      const calls = (await server.client.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g);
      return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await scripts();
    await Promise.all(Array.from({ length: 200 }, (_, index) => admit(store, `together-${index}`)));
    expect((await scripts()) - before).toBe(4);
  });

  test('a key with foreign data affects no other request of the batch', async () => {
    const store = open();
    await server.client.lpush('tg:q:{a list}', 'x');
    await server.client.set('tg:q:{a text}', 'hello');
    const pending = ['one', 'a list', 'two', 'a text', 'one'].map((quotaId) => admit(store, quotaId));
    const ended = await Promise.allSettled(pending);
    const bad = { status: 'rejected', reason: { failure: { kind: 'bad_data' } } };
    expect(ended).toMatchObject([
      { value: { admitted: true, minute: { used: 1 } } },
      bad,
      { value: { admitted: true, minute: { used: 1 } } },
      bad,
      { value: { admitted: true, minute: { used: 2 } } },
    ]);
  });

  test('a quota takes at most 250 bytes', async () => {
    const store = open({ ...defaultPolicy, strikes: 2, graceMs: 1 });
    const quotaId = `key_${'x'.repeat(20)}`;
    const busy = { minute: 300, day: 10_000 };
    const ask = (cost: number) => store.admit({ quotaId, cost, limits: busy, mode: 'enforce' });
    await ask(1);
    const idle = await server.client.memory('USAGE', `tg:q:{${quotaId}}`);
    await ask(299);
    await ask(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (let i = 0; i < 40; i++) await ask(1);
    expect((await store.inspect(quotaId, busy)).ban).not.toBeNull();
    const full = await server.client.memory('USAGE', `tg:q:{${quotaId}}`);
    process.stdout.write(`bytes per key: ${idle} with counters, ${full} with refusals and a ban\n`);
    expect(idle).toBeLessThanOrEqual(250);
    expect(full).toBeLessThanOrEqual(250);
  });

  test('all keys expire', async () => {
    const store = open({ ...defaultPolicy, forgiveAfterMs: 100 });
    await admit(store, 'passing');
    const left = await server.client.pttl('tg:q:{passing}');
    const untilMidnight = 86_400_000 - (Date.now() % 86_400_000);
    expect(Math.abs(left - Math.max(untilMidnight, 60_000))).toBeLessThan(30_000);
    await store.ban('short', 300);
    expect(await server.client.exists('tg:q:{short}')).toBe(1);
    await until(async () => (await server.client.exists('tg:q:{short}')) === 0);
    await store.reset('passing');
    expect(await server.client.exists('tg:q:{passing}')).toBe(0);
  });

  test('data written by a version without months is read, and its writes do not lose the month', async () => {
    const store = open(defaultPolicy, testClock);
    const monthly = { ...limits, month: 20 };
    const ask = () => store.admit({ quotaId: 'shared', cost: 1, limits: monthly, mode: 'enforce' });
    await setClock(noon);
    const midnight = noon - 12 * 3_600_000;
    /** Writes the state as that version stores it: fourteen numbers in a single key. */
    const asBefore = (minuteUsed: number, dayUsed: number) =>
      server.client.eval(
        `redis.call('SET', KEYS[1], cmsgpack.pack({ ${noon}, ${noon - 1000}, ${minuteUsed}, 0, ${midnight}, ${dayUsed}, 0, 0, 0, 0, 0, 0, 0, 0 }))`,
        1,
        'tg:q:{shared}',
      );
    await asBefore(1, 3);
    expect(await ask()).toMatchObject({ minute: { used: 2 }, day: { used: 4 }, month: { used: 1 } });
    // The older version admits two more, which the month does not include.
    await asBefore(4, 6);
    expect(await ask()).toMatchObject({ minute: { used: 5 }, day: { used: 7 }, month: { used: 2 } });
  });

  test('four gateways together admit exactly the monthly limit, before and after the end of the month', async () => {
    const monthly = { minute: 1000, day: 1000, month: 70 };
    const gateways = [1, 2, 3, 4].map(() => open(defaultPolicy, testClock, 'fleet'));
    const burst = async () => {
      const pending = gateways.flatMap((store) =>
        Array.from({ length: 50 }, () => store.admit({ quotaId: 'a', cost: 1, limits: monthly, mode: 'enforce' })),
      );
      return (await Promise.all(pending)).filter(({ admitted }) => admitted).length;
    };
    await setClock(Date.UTC(2028, 1, 29, 23, 59, 59, 999));
    expect(await burst()).toBe(70);
    await setClock(Date.UTC(2028, 2, 1));
    expect(await burst()).toBe(70);
    expect(await burst()).toBe(0);
  });

  test('installations with different prefixes do not interfere', async () => {
    const [one, two] = [open(defaultPolicy, undefined, 'one'), open(defaultPolicy, undefined, 'two')];
    await one.ban('shared', 60_000);
    expect(await admit(one, 'shared')).toMatchObject({ admitted: false });
    expect(await admit(two, 'shared')).toMatchObject({ admitted: true, minute: { used: 1 } });
  });
});
