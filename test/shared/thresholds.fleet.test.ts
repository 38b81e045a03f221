/**
 * Four gateways share a Redis and a PostgreSQL. They get 100,000 calls that cost 1 to 7 units, in the minutes around
 * midnight. Several gateways notice each threshold, but each window is reported only once at 80% and once when it is
 * full. Windows with little use are not reported.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Decision } from '../../src/data-plane/admission/decide.ts';
import { RedisStore } from '../../src/data-plane/admission/redis/redis-store.ts';
import type { WindowName } from '../../src/domain/quota-limits.ts';
import { openReadyPostgres } from '../support/servers/open-postgres.ts';
import type { Event } from '../../src/control-plane/events/event.ts';
import { Events } from '../../src/control-plane/events/events.ts';
import type { Exchange } from '../../src/data-plane/exchange/exchange.ts';
import { createThresholdObserver } from '../../src/control-plane/events/quota-thresholds.ts';
import { createAdmitStep } from '../../src/data-plane/steps/admit.ts';
import type { Credential } from '../../src/domain/credential.ts';
import { connectRedis } from '../../src/storage/redis/redis-connection.ts';
import { type SharedStorage, openSharedStorage } from '../support/fleet/shared-storage.ts';
import { defaultPolicy } from '../support/models/admission-history.ts';
import { CLOCK_KEY, testClock } from '../support/test-clock.ts';
import { outboxEvents } from '../support/outbox-events.ts';

const GATEWAYS = 4;
const MINUTES = 10;
const MINUTE = 60_000;
/** The time of the first call. Half of the minutes are before midnight, and half after. */
const START = Date.UTC(2026, 0, 7) - (MINUTES / 2) * MINUTE;
const CALLS = 100_000;
const KEYS = 11;
const logger = pino({ level: 'silent' });

/**
 * The keys are used as follows: every minute is exhausted. For every other key, two minutes exhaust the day. The last
 * key is in shadow mode.
 */
const credentials = Array.from({ length: KEYS }, (_, index): Credential => {
  const minute = 1000 + 331 * index;
  return {
    keyId: `key_${index}`,
    kind: 'secret',
    token: null,
    quotaId: `quota_${index}`,
    owner: `owner-${index}`,
    plan: 'custom',
    limits: { minute, day: minute * (index % 2 === 0 ? 2 : 9) },
    concurrent: null,
    mode: index === KEYS - 1 ? 'shadow' : 'enforce',
    onStoreFailure: 'local',
    status: 'active',
    expiresAt: null,
    planOperations: null,
    keyOperations: null,
    addresses: null,
    validation: null,
    endNotice: null,
  };
});

let storage: SharedStorage;
beforeEach(async () => {
  storage = await openSharedStorage();
});
afterEach(() => storage.release());

async function openGateway() {
  const connection = connectRedis({ url: storage.redis.url, purpose: 'admission', logger });
  await connection.ready(5000);
  const database = await openReadyPostgres(storage.locations.database, logger);
  const events = new Events(database, logger);
  const admit = createAdmitStep({
    store: new RedisStore({ connection, prefix: 'tg', policy: defaultPolicy, timeoutMs: 30_000, clock: testClock }),
    pushUsage() {},
    decisionObservers: [createThresholdObserver(events.note)],
  });
  return {
    database,
    events,
    async call(credential: Credential, cost: number): Promise<Decision> {
      const match = { kind: 'operation', route: { operation: { cost } } };
      const exchange = { credential, match, decision: null } as unknown as Exchange;
      await admit(exchange, credential);
      return exchange.decision!;
    },
    async close() {
      await events.close();
      await database.close();
      connection.close();
    },
  };
}

/** Adds the events that a decision must cause. They have no order, because the gateways run concurrently. */
function addExpected(credential: Credential, cost: number, decision: Decision, expected: Set<string>): void {
  for (const window of ['minute', 'day'] as const satisfies WindowName[]) {
    const { used, limit, remaining, resetAt } = decision[window];
    const name = `${credential.quotaId} ${window} ${new Date(resetAt).toISOString()}`;
    const hadNoRoom = /exhausted/.test(decision.outcome) && !decision.admitted && remaining < cost;
    if (used * 5 >= limit * 4) expected.add(`${name} 80`);
    if (used >= limit || hadNoRoom) expected.add(`${name} 100`);
  }
}

/**
 * True if the key is quiet in the minute. In each minute, one of three keys makes at most 30 calls of 7 units, and the
 * next key makes the rest of its calls.
 */
const isQuiet = (key: number, minute: number) => (minute + key) % 3 === 0;
const WAVES = 10;
const PER_WAVE = CALLS / MINUTES / WAVES;

/** Chooses the key for the nth call of a wave. */
function chooseKey(call: number, minute: number): number {
  const key = call % credentials.length;
  return isQuiet(key, minute) && call >= 3 * credentials.length ? (key + 1) % credentials.length : key;
}

test('100,000 calls at four gateways publish each threshold of each window exactly once', async () => {
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, openGateway));
  const expected = new Set<string>();
  let calls = 0;
  const call = async (minute: number, nth: number) => {
    const credential = credentials[chooseKey(nth, minute)]!;
    const cost = 1 + (calls % 7);
    const decision = await gateways[calls++ % GATEWAYS]!.call(credential, cost);
    addExpected(credential, cost, decision, expected);
  };
  for (let minute = 0; minute < MINUTES; minute++) {
    await storage.redis.client.set(CLOCK_KEY, START + minute * MINUTE);
    for (let wave = 0; wave < WAVES; wave++) {
      await Promise.all(Array.from({ length: PER_WAVE }, (_, nth) => call(minute, nth)));
    }
  }
  for (const { events } of gateways) await events.close();
  const published = (await outboxEvents(gateways[0]!.database)).map(({ data }) => formatName(data));
  for (const gateway of gateways) await gateway.close();

  expect(calls).toBe(CALLS);
  expect(published.toSorted(byText)).toEqual([...expected].toSorted(byText));
  // Quiet windows must have no events, and enough other windows must have some.
  for (const [key, { quotaId }] of credentials.entries()) {
    for (let minute = 0; minute < MINUTES; minute++) {
      const name = `${quotaId} minute ${new Date(START + (minute + 1) * MINUTE).toISOString()}`;
      if (isQuiet(key, minute)) expect(published.filter((each) => each.startsWith(name))).toEqual([]);
    }
  }
  expect(published.filter((each) => each.includes('minute')).length).toBeGreaterThan(50);
  expect(published.filter((each) => each.includes('day')).length).toBeGreaterThan(20);
});

function formatName({ quotaId, window, resetsAt, level }: Event['data']): string {
  return [quotaId, window, resetsAt, level].join(' ');
}

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
