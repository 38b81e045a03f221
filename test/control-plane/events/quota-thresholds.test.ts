import { beforeEach, expect, test } from '@jest/globals';
import { LocalFallback } from '../../../src/data-plane/admission/resilient/local-fallback.ts';
import { MemoryStore } from '../../../src/data-plane/admission/embedded/memory-store.ts';
import type { Decision } from '../../../src/data-plane/admission/decide.ts';
import type { NewEvent } from '../../../src/control-plane/events/event.ts';
import type { DecisionObserver } from '../../../src/data-plane/boundary-types.ts';
import { createThresholdObserver } from '../../../src/control-plane/events/quota-thresholds.ts';
import type { Credential } from '../../../src/domain/credential.ts';
import { defaultPolicy } from '../../support/models/admission-history.ts';

const noon = Date.UTC(2026, 0, 6, 12);
const MINUTE = 60_000;

let now: number;
let store: MemoryStore;
let published: NewEvent[];
let onDecided: DecisionObserver;

beforeEach(() => {
  now = noon;
  store = new MemoryStore({ clock: () => now, policy: defaultPolicy });
  published = [];
  onDecided = createThresholdObserver((event) => published.push(event));
});

const key = (over: Partial<Credential> = {}): Credential => ({
  keyId: 'key_1',
  kind: 'secret',
  token: null,
  quotaId: 'acc_1',
  owner: 'acme',
  plan: 'free',
  limits: { minute: 10, day: 1000 },
  concurrent: null,
  mode: 'enforce',
  onStoreFailure: 'local',
  status: 'active',
  expiresAt: null,
  planOperations: null,
  keyOperations: null,
  addresses: null,
  validation: null,
  endNotice: null,
  ...over,
});

function call(cost = 1, credential = key()): Decision {
  const { quotaId, limits, mode } = credential;
  const decision = store.admit({ quotaId, cost, limits, mode });
  onDecided(decision, credential, cost, 'request_1');
  return decision;
}

/**
 * Removes the events published so far.
 *
 * @returns the window, the level and the used units of each event
 */
function takePublished(): string[] {
  return published
    .splice(0)
    .map(({ data }) => `${String(data['window'])} ${String(data['level'])}: ${String(data['used'])}`);
}

test('no threshold event is published below 80% of a limit', () => {
  for (let calls = 0; calls < 7; calls++) call();
  expect(takePublished()).toEqual([]);
});

test('thresholds of a monthly limit are published like those of other limits', () => {
  const credential = key({ limits: { minute: 10, day: 10, month: 12 } });
  for (let calls = 0; calls < 8; calls++) call(1, credential);
  takePublished();
  now += 24 * 60 * MINUTE;
  for (let calls = 0; calls < 5; calls++) call(1, credential);
  expect(takePublished()).toEqual(['month 80: 10', 'month 100: 12']);
});

test('reaching 80% and 100% of a limit publishes one event each, with all fields', () => {
  for (let calls = 0; calls < 30; calls++) call();
  const about = { keyId: 'key_1', quotaId: 'acc_1', plan: 'free', window: 'minute', limit: 10, shadow: false };
  const resetsAt = new Date(noon + MINUTE).toISOString();
  const event = { type: 'quota.threshold', subject: 'key_1', owner: 'acme', source: 'gateway', at: noon };
  expect(published).toEqual(
    [
      { level: 80, used: 8 },
      { level: 100, used: 10 },
    ].map(({ level, used }) => ({
      id: expect.any(String),
      ...event,
      data: { ...about, level, used, resetsAt },
      uniqueKey: `quota.threshold acc_1 minute ${noon + MINUTE} ${level === 80 ? '080' : '100'}`,
    })),
  );
});

test('a call that goes from below 80% to 100% of a limit publishes both events', () => {
  call(7);
  expect(takePublished()).toEqual([]);
  call(3);
  expect(takePublished()).toEqual(['minute 80: 10', 'minute 100: 10']);
});

test('a refusal publishes the event for 100%, and the event for 80% follows when the usage reaches it', () => {
  call(7);
  expect(call(4).admitted).toBe(false);
  expect(takePublished()).toEqual(['minute 100: 7']);
  call(2);
  expect(takePublished()).toEqual(['minute 80: 9']);
  call(1);
  call(1);
  expect(takePublished()).toEqual([]);
});

test('thresholds are published again in the next minute', () => {
  for (let calls = 0; calls < 12; calls++) call();
  takePublished();
  now += MINUTE;
  for (let calls = 0; calls < 7; calls++) call();
  expect(takePublished()).toEqual([]);
  call();
  expect(takePublished()).toEqual(['minute 80: 8']);
});

test('thresholds of minute and day are separate, and a refusal publishes only that of the exhausted limit', () => {
  const credential = key({ limits: { minute: 10, day: 14 } });
  call(7, credential);
  now += MINUTE;
  call(4, credential);
  expect(takePublished()).toEqual([]);
  expect(call(4, credential)).toMatchObject({ outcome: 'day_exhausted' });
  expect(takePublished()).toEqual(['day 100: 11']);
  call(1, credential);
  expect(takePublished()).toEqual(['day 80: 12']);
});

test('a request that costs more than the limit and a banned request publish no threshold event', () => {
  expect(call(11)).toMatchObject({ outcome: 'cost_exceeds_limit' });
  store.ban('acc_1', MINUTE);
  expect(call()).toMatchObject({ outcome: 'banned' });
  expect(takePublished()).toEqual([]);
});

test('events of plans in shadow mode are marked, and calls are still counted', () => {
  const credential = key({ mode: 'shadow' });
  for (let calls = 0; calls < 12; calls++) expect(call(1, credential).admitted).toBe(true);
  expect(published.map(({ data }) => data['shadow'])).toEqual([true, true]);
  expect(takePublished()).toEqual(['minute 80: 8', 'minute 100: 10']);
});

test('lowering a limit to the current usage publishes an event at the next call', () => {
  call(5);
  call(1, key({ limits: { minute: 6, day: 1000 } }));
  expect(takePublished()).toEqual(['minute 80: 6', 'minute 100: 6']);
});

test('keys that share a quota share its threshold events', () => {
  call(8);
  call(1, key({ keyId: 'key_2' }));
  expect(takePublished()).toEqual(['minute 80: 8']);
  call(8, key({ quotaId: 'acc_2' }));
  expect(takePublished()).toEqual(['minute 80: 8']);
});

test('counts of a gateway without its store publish no threshold events', () => {
  const fallback = new LocalFallback({ clock: () => now, policy: defaultPolicy, replicas: 1 });
  const { quotaId, limits } = key();
  for (let calls = 0; calls < 20; calls++) {
    onDecided(fallback.admit({ quotaId, cost: 1, limits, mode: 'enforce' }, false), key(), 1, 'request_1');
  }
  expect(takePublished()).toEqual([]);
});

/** The clock correction keeps the counts of a window, but changes the time when they reset. */
test('a window whose reset time is moved by a clock correction is published again with the new time', () => {
  now = noon + 60 * MINUTE;
  call(8);
  expect(takePublished()).toEqual(['minute 80: 8']);
  now = noon;
  call(1);
  expect(published[0]?.data['resetsAt']).toBe(new Date(noon + MINUTE).toISOString());
  expect(takePublished()).toEqual(['minute 80: 9']);
});
