import { afterEach, expect, jest, test } from '@jest/globals';
import { AddressLimiter } from '../../src/http/call-limiter.ts';

const MINUTE = 60_000;

afterEach(() => {
  jest.useRealTimers();
});

/**
 * If the clock had been an hour ahead and was corrected, refusals once said to wait an hour, although a minute was
 * enough.
 */
test('no client waits longer than the window, whatever the clock does', async () => {
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 6, 13) });
  const guard = new AddressLimiter({ limit: 1, withinMs: MINUTE }, Date.now);
  await guard.charge('192.0.2.1');
  jest.setSystemTime(Date.UTC(2026, 0, 6, 12));
  const { exceeded, resetAt } = await guard.charge('192.0.2.1');
  expect([exceeded, resetAt - Date.now()]).toEqual([true, MINUTE]);
  jest.advanceTimersByTime(MINUTE);
  expect((await guard.peek('192.0.2.1')).exceeded).toBe(false);
});
