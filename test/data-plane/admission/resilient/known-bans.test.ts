import { expect, test } from '@jest/globals';
import { KnownBans } from '../../../../src/data-plane/admission/resilient/known-bans.ts';
import type { BanView } from '../../../../src/data-plane/admission/ban-rules.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 0, 6, 12);
const first: BanView = { from: noon, until: noon + 5 * MINUTE, level: 1, manual: false };
const second: BanView = { from: noon + MINUTE, until: noon + 60 * MINUTE, level: 1, manual: true };
const started = (ban: BanView) => ({ kind: 'started', quotaId: 'a', ban }) as const;
const lifted = ({ from }: BanView) => ({ kind: 'lifted', quotaId: 'a', from }) as const;

function knownBans(now = noon + 2 * MINUTE) {
  const clock = { now };
  return { bans: new KnownBans(() => clock.now), clock };
}

/** All orders of a few items. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

test('announcements have the same effect in any order, and if they arrive twice', () => {
  const all: [changes: (ReturnType<typeof started> | ReturnType<typeof lifted>)[], ban: BanView | null][] = [
    [[started(first)], first],
    [[started(first), lifted(first)], null],
    [[started(first), started(second)], second],
    [[started(first), lifted(first), started(second)], second],
    [[started(first), started(second), lifted(second)], null],
  ];
  for (const [changes, ban] of all) {
    for (const order of orders(changes)) {
      const { bans } = knownBans();
      for (const change of [...order, ...order]) bans.learn(change);
      expect(bans.find('a')).toEqual(ban);
    }
  }
});

test('an announcement that comes after the store has reported the end of the ban has no effect', () => {
  const { bans } = knownBans();
  bans.note('a', second, noon + 2 * MINUTE);
  bans.note('a', null, noon + 2 * MINUTE);
  bans.learn(started(second));
  expect(bans.find('a')).toBeNull();
});

test('a decision made before a lift, but received after its announcement, has no effect', () => {
  const { bans } = knownBans();
  bans.learn(lifted(second));
  bans.note('a', second, noon + 2 * MINUTE);
  expect(bans.find('a')).toBeNull();
  bans.learn(lifted(first));
  expect(bans.find('a')).toBeNull();
});

test('a ban ends by the clock, and lifting another key’s ban does not end it', () => {
  const { bans, clock } = knownBans();
  bans.learn(started(first));
  bans.learn({ ...started(second), quotaId: 'b' });
  bans.learn(lifted(first));
  expect(bans.find('b')).toEqual(second);
  clock.now = second.until;
  expect(bans.find('b')).toBeNull();
});
