import { beforeEach, describe, expect, test } from '@jest/globals';
import { ban, lift, computeExpiry } from '../../../src/data-plane/admission/ban-rules.ts';
import { decide } from '../../../src/data-plane/admission/decide.ts';
import { reset } from '../../../src/data-plane/admission/windows.ts';
import { defaultPolicy as policy } from '../../support/models/admission-history.ts';
import { DAY, midnight, MINUTE, noon, QuotaDriver, SECOND } from '../../support/models/quota-driver.ts';

let quota: QuotaDriver;

beforeEach(() => {
  quota = new QuotaDriver();
});

describe('strikes', () => {
  test('are not earned by the first refusal, nor within 1 s of it', () => {
    quota.askTimes(2);
    expect(quota.ask().strikes).toBe(0);
    quota.now += SECOND;
    expect(quota.ask().strikes).toBe(0);
    quota.now += 1;
    expect(quota.ask().strikes).toBe(1);
  });

  test('are not earned by successful requests', () => {
    quota.earnStrikes(1);
    quota.now = noon + MINUTE;
    expect(quota.ask()).toMatchObject({ admitted: true, strikes: 1 });
  });

  test('are earned only if there is a refusal in the new window', () => {
    quota.earnStrikes(1);
    quota.now = noon + MINUTE;
    expect(quota.askTimes(3).at(-1)).toMatchObject({ admitted: false, strikes: 1 });
  });

  test('are earned only if the refusal is by the window that Retry-After referred to', () => {
    quota.askTimes(3);
    quota.now += SECOND + 1;
    quota.limits = { minute: 2, day: 2 };
    expect(quota.ask()).toMatchObject({ outcome: 'day_exhausted', strikes: 0 });
    quota.now += SECOND + 1;
    expect(quota.ask().strikes).toBe(1);
  });

  test('start a ban at ten, and the tenth gets the response for a banned key', () => {
    expect(quota.earnStrikes(9)).toMatchObject({ strikes: 9, ban: null, outcome: 'minute_exhausted' });
    expect(quota.ask()).toEqual({
      now: quota.now,
      minute: { limit: 2, used: 2, remaining: 0, resetAt: noon + MINUTE },
      day: { limit: 100, used: 2, remaining: 98, resetAt: midnight + DAY },
      binding: 'minute',
      ban: { from: quota.now, until: quota.now + MINUTE, level: 1, manual: false },
      admitted: false,
      outcome: 'banned',
      retryAt: quota.now + MINUTE,
      strikes: 10,
      banStarted: true,
    });
    expect(quota.ask()).toMatchObject({ outcome: 'banned', strikes: 0, banStarted: false });
  });

  test.each([
    [100, 10],
    [101, 11],
    [1000, 100],
  ])('with a minute limit of %d start a ban at %d', (minute, threshold) => {
    quota.limits = { minute, day: 10 * minute };
    quota.askTimes(minute + 1);
    quota.now += SECOND + 1;
    expect(quota.askTimes(threshold).map((decision) => decision.banStarted)).toEqual([
      ...Array<boolean>(threshold - 1).fill(false),
      true,
    ]);
  });

  test('add up within 5 minutes of the first', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.earnStrikes(9);
    const first = quota.now;
    quota.now = first + 5 * MINUTE - SECOND - 1;
    expect(quota.ask().banStarted).toBe(false);
    quota.now = first + 5 * MINUTE;
    expect(quota.ask().banStarted).toBe(true);
  });

  test('expire 5 minutes after the first, even if more have followed', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.earnStrikes(1);
    for (const [pause, strikes] of [
      [4 * MINUTE, 2],
      [2 * MINUTE, 1],
    ] as const) {
      quota.now += pause;
      quota.ask();
      quota.now += SECOND + 1;
      expect(quota.ask().strikes).toBe(strikes);
    }
  });

  test('are not earned by a call 30 s or more after the previous refusal', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.earnStrikes(1);
    quota.now += 30 * SECOND - 1;
    expect(quota.ask().strikes).toBe(2);
    quota.now += 30 * SECOND;
    expect(quota.ask().strikes).toBe(2);
  });

  /**
   * undici's RetryAgent waits at most 30 s, whatever Retry-After says, and often for several requests at once. Such
   * requests are refused together.
   */
  test('are not earned by several refused requests that are retried together after 30 s', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.askTimes(2);
    for (let poll = 0; poll < 5; poll++) {
      const from = quota.now;
      for (let request = 0; request < 20; request++) {
        expect(quota.ask()).toMatchObject({ outcome: 'day_exhausted', strikes: 0 });
        quota.now += 50;
      }
      quota.now = from + 30 * SECOND;
    }
    quota.ask();
    quota.now += SECOND + 1;
    expect(quota.ask().strikes).toBe(1);
  });

  test('are earned shortly after a refusal because of a ban', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.askTimes(3);
    quota.now += 2 * SECOND;
    quota.state = ban(quota.state, quota.now, 60 * SECOND, policy);
    quota.now += 59 * SECOND;
    expect(quota.ask().outcome).toBe('banned');
    quota.now += 2 * SECOND;
    expect(quota.ask()).toMatchObject({ outcome: 'day_exhausted', strikes: 1 });
  });

  test('expire after 5 minutes', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.earnStrikes(9);
    quota.now += 5 * MINUTE + 1;
    expect(quota.ask()).toMatchObject({ banStarted: false, strikes: 0 });
    quota.now += SECOND + 1;
    expect(quota.ask()).toMatchObject({ banStarted: false, strikes: 1 });
    quota.now = midnight + DAY;
    expect(quota.ask()).toMatchObject({ admitted: true, strikes: 0 });
  });

  test('start a ban only when another strike is earned, not when the maximum number is lowered', () => {
    quota.limits = { minute: 200, day: 1000 };
    quota.askTimes(201);
    quota.now += SECOND + 1;
    expect(quota.askTimes(15).at(-1)!.strikes).toBe(15);
    quota.now = noon + MINUTE;
    quota.limits = { minute: 2, day: 1000 };
    expect(quota.askTimes(3).at(-1)).toMatchObject({ outcome: 'minute_exhausted', banStarted: false });
  });
});

test('no strikes are earned with an infinite grace period', () => {
  const lenient = { ...policy, graceMs: Infinity };
  for (let i = 0; i < 50; i++, quota.now += SECOND)
    quota.state = decide(quota.state, quota.now, 1, { minute: 1, day: 1 }, lenient).state;
  expect(quota.state).toMatchObject({ minuteUsed: 1, strikes: 0, banUntil: 0 });
});

describe('automatic bans', () => {
  /**
   * Makes calls until the quota is banned, and sets the clock to the end of the ban. Returns the length of the ban in
   * minutes.
   */
  function getBanned(): number {
    quota.limits = { minute: 1, day: 1000 };
    quota.now += MINUTE;
    quota.earnStrikes(10);
    const { from, until } = quota.usage().ban!;
    quota.now = until;
    return (until - from) / MINUTE;
  }

  test('last 1, 5, 15, 60 and then always 60 minutes', () => {
    expect([1, 2, 3, 4, 5].map(getBanned)).toEqual([1, 5, 15, 60, 60]);
  });

  test('start over once 24 h have passed since the last one ended', () => {
    [1, 2, 3].forEach(getBanned);
    quota.now += DAY - 2 * MINUTE;
    expect(getBanned()).toBe(60);
    quota.now += DAY - MINUTE;
    expect(getBanned()).toBe(1);
  });

  test('are not extended by the requests they refuse, which are not charged', () => {
    const { ban } = quota.earnStrikes(10);
    quota.now += 30 * SECOND;
    expect(quota.askTimes(30).at(-1)).toMatchObject({ ban, outcome: 'banned', strikes: 0, minute: { used: 2 } });
    quota.now = ban!.until - 1;
    expect(quota.ask().outcome).toBe('banned');
    quota.now += 1;
    expect(quota.ask().admitted).toBe(true);
  });

  test('are reported with the reset time of an exhausted window if it is later than the end of the ban', () => {
    quota.limits = { minute: 2, day: 2 };
    expect(quota.earnStrikes(10)).toMatchObject({ outcome: 'banned', retryAt: midnight + DAY });
    expect(quota.ask().retryAt).toBe(midnight + DAY);
  });
});

describe('manual bans', () => {
  test('apply immediately, for the given time', () => {
    quota.state = ban(quota.state, quota.now, 5000, policy);
    const expected = { from: noon, until: noon + 5000, level: 0, manual: true };
    expect(quota.ask()).toMatchObject({ outcome: 'banned', ban: expected, retryAt: noon + 5000 });
    quota.now += 5000;
    expect(quota.ask()).toMatchObject({ admitted: true, ban: null });
  });

  test('replace an active ban, even with a shorter one, and do not raise the level', () => {
    quota.earnStrikes(10);
    quota.state = ban(quota.state, quota.now, 1000, policy);
    expect(quota.usage().ban).toEqual({ from: quota.now, until: quota.now + 1000, level: 1, manual: true });
  });

  test('clear the strikes', () => {
    quota.earnStrikes(5);
    quota.state = ban(quota.state, quota.now, 1, policy);
    quota.now += 1;
    expect(quota.ask().strikes).toBe(1);
  });

  test('delay forgiveness, which counts from the end of the last ban', () => {
    quota.earnStrikes(10);
    quota.now += DAY;
    quota.state = ban(quota.state, quota.now, MINUTE, policy);
    quota.now += DAY;
    expect(computeExpiry(quota.state, policy)).toBe(quota.now + MINUTE);
  });
});

describe('lifting a ban', () => {
  test('ends it immediately and clears the strikes', () => {
    quota.earnStrikes(10);
    quota.state = lift(quota.state, quota.now);
    expect(quota.ask()).toMatchObject({ outcome: 'minute_exhausted', ban: null, strikes: 1 });
  });

  test('keeps the level, so the next ban is longer', () => {
    quota.earnStrikes(10);
    quota.state = lift(quota.state, quota.now);
    expect(quota.askTimes(10).at(-1)!.ban).toMatchObject({ until: quota.now + 5 * MINUTE, level: 2 });
  });

  test('only clears the strikes if no ban is active', () => {
    quota.earnStrikes(5);
    quota.state = lift(quota.state, quota.now);
    expect(quota.state).toMatchObject({ strikes: 0, minuteUsed: 2, banUntil: 0 });
  });
});

test('a reset clears both windows and the strikes, but does not end a ban', () => {
  quota.earnStrikes(5);
  quota.state = reset(quota.state, quota.now);
  expect(quota.askTimes(3).at(-1)).toMatchObject({ minute: { used: 2 }, day: { used: 2 }, strikes: 0 });
  quota.state = reset(ban(quota.state, quota.now, MINUTE, policy), quota.now);
  expect(quota.ask()).toMatchObject({ outcome: 'banned', minute: { used: 0 } });
});
