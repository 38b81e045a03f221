import { expect, test } from '@jest/globals';
import { LocalFallback } from '../../../../src/data-plane/admission/resilient/local-fallback.ts';
import { usualPolicy as policy } from '../../../support/models/admission-history.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 0, 6, 12);
const request = { quotaId: 'a', cost: 1, limits: { minute: 5, day: 8 }, mode: 'enforce' } as const;

/**
 * The shared store's clock was an hour ahead when it told of a ban, and was put right before it went away: the ban held
 * for that hour longer.
 */
test('a ban recorded by a clock that was ahead keeps its remaining time', () => {
  let now = noon;
  const fallback = new LocalFallback({ clock: () => now, policy, replicas: 1 });
  const told = noon + 60 * MINUTE;
  fallback.note('a', { from: told - MINUTE, until: told + 4 * MINUTE, level: 2, manual: false }, told);
  const ban = { from: noon, until: noon + 4 * MINUTE, level: 2, manual: false };
  expect(fallback.admit(request, false)).toMatchObject({ outcome: 'banned', retryAt: ban.until, ban });
  now = told;
  expect(fallback.admit(request, false)).toMatchObject({ outcome: 'admitted', ban: null });
});
