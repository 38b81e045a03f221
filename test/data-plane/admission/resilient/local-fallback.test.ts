import { expect, test } from '@jest/globals';
import { LocalFallback } from '../../../../src/data-plane/admission/resilient/local-fallback.ts';
import { defaultPolicy as policy } from '../../../support/models/admission-history.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 0, 6, 12);
const request = { quotaId: 'a', cost: 1, limits: { minute: 5, day: 8 }, mode: 'enforce' } as const;

/**
 * If the clock of the shared store was an hour ahead when it reported a ban, and was corrected before an outage, the
 * ban lasted an hour too long during the outage.
 */
test('a ban recorded by a clock that was ahead keeps its remaining time', () => {
  let now = noon;
  const fallback = new LocalFallback({ clock: () => now, policy, replicas: 1 });
  const reportedAt = noon + 60 * MINUTE;
  fallback.bans.note(
    'a',
    { from: reportedAt - MINUTE, until: reportedAt + 4 * MINUTE, level: 2, manual: false },
    reportedAt,
  );
  const ban = { from: noon, until: noon + 4 * MINUTE, level: 2, manual: false };
  expect(fallback.admit(request, false)).toMatchObject({ outcome: 'banned', retryAt: ban.until, ban });
  now = reportedAt;
  expect(fallback.admit(request, false)).toMatchObject({ outcome: 'admitted', ban: null });
});
