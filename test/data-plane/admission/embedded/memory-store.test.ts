import { beforeEach, expect, test } from '@jest/globals';
import { MemoryStore } from '../../../../src/data-plane/admission/embedded/memory-store.ts';
import { admissionStoreContract } from '../../../contract/admission-store.contract.ts';
import { defaultPolicy as policy } from '../../../support/models/admission-history.ts';

const DAY = 24 * 60 * 60_000;
const noon = Date.UTC(2026, 0, 6, 12);
const limits = { minute: 2, day: 2 };

let now: number;
let store: MemoryStore;

beforeEach(() => {
  now = noon;
  store = new MemoryStore({ clock: () => now, policy });
});

const admit = (quotaId: string) => store.admit({ quotaId, cost: 1, limits, mode: 'enforce' });

admissionStoreContract('The store in memory', {
  policy,
  open: async () => store,
  clock: {
    advance(ms) {
      now += ms;
    },
  },
});

test('expired quotas are dropped a few at a time as requests arrive', () => {
  for (let i = 0; i < 1000; i++) admit(`old ${i}`);
  now += DAY;
  admit('new');
  expect(store.size).toBeGreaterThan(990);
  for (let i = 0; i < 1000; i++) admit('new');
  expect(store.size).toBe(1);
});

test('memory does not grow indefinitely when every request has a new quota', () => {
  for (let day = 0; day < 5; day++, now += DAY) for (let i = 0; i < 1000; i++) admit(`${day} ${i}`);
  expect(store.size).toBeLessThanOrEqual(2000);
});

test('a dropped quota is not granted again after the clock goes back by a few seconds', () => {
  admit('a');
  admit('a');
  now = noon + DAY / 2;
  for (let i = 0; i < 10; i++) admit('b');
  expect(store.size).toBe(1);
  now -= 5000;
  expect(admit('a')).toMatchObject({ now: noon + DAY / 2, admitted: true });
});
