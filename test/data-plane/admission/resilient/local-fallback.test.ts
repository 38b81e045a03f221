import { expect, test } from '@jest/globals';
import { LocalFallback } from '../../../../src/data-plane/admission/resilient/local-fallback.ts';
import { defaultPolicy as policy } from '../../../support/models/admission-history.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 0, 6, 12);
const request = { quotaId: 'a', cost: 1, limits: { minute: 5, day: 8 }, mode: 'enforce' } as const;

/**
 * The clock of the shared store may be an hour ahead when it reports a ban, and be corrected before an outage. During
 * the outage, the ban once lasted an hour too long.
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
