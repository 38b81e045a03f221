import { beforeEach, describe, expect, test } from '@jest/globals';
import { ban, computeExpiry } from '../../../src/data-plane/admission/ban-rules.ts';
import { initialState } from '../../../src/data-plane/admission/state.ts';
import { defaultPolicy as policy } from '../../support/models/admission-history.ts';
import { DAY, midnight, MINUTE, noon, QuotaDriver, SECOND } from '../../support/models/quota-driver.ts';

let quota: QuotaDriver;

beforeEach(() => {
  quota = new QuotaDriver();
});

describe('windows', () => {
  test('the minute starts with the first admitted request and lasts 60 s', () => {
    expect(quota.usage().minute).toEqual({ limit: 2, used: 0, remaining: 2, resetAt: noon + MINUTE });
    quota.ask();
    quota.now += 59_999;
    expect(quota.ask()).toMatchObject({ admitted: true, minute: { used: 2, remaining: 0, resetAt: noon + MINUTE } });
    expect(quota.ask().admitted).toBe(false);
    quota.now += 1;
    expect(quota.ask()).toMatchObject({ admitted: true, minute: { used: 1, resetAt: noon + 2 * MINUTE } });
  });

  test('a refused request starts no window', () => {
    quota.state = ban(quota.state, quota.now, MINUTE, policy);
    quota.ask();
    expect(quota.usage().minute).toMatchObject({ used: 0, resetAt: quota.now + MINUTE });
  });

  test('the day is the UTC calendar day', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.now = midnight - 1;
    expect(quota.ask().day).toEqual({ limit: 2, used: 1, remaining: 1, resetAt: midnight });
    quota.now = midnight;
    expect(quota.ask().day).toEqual({ limit: 2, used: 1, remaining: 1, resetAt: midnight + DAY });
  });

  test('the minute window continues across midnight', () => {
    quota.now = midnight - 30 * SECOND;
    quota.askTimes(2);
    quota.now = midnight;
    expect(quota.ask()).toMatchObject({
      outcome: 'minute_exhausted',
      retryAt: midnight + 30 * SECOND,
      day: { used: 0 },
    });
  });
});

describe('charging', () => {
  test('is all or nothing: a request over the minute limit is not charged to the day', () => {
    quota.askTimes(4);
    expect(quota.usage()).toMatchObject({ minute: { used: 2 }, day: { used: 2 } });
  });

  test('is all or nothing: a request over the day limit is not charged to the minute', () => {
    quota.limits = { minute: 2, day: 3 };
    quota.askTimes(2);
    quota.now += MINUTE;
    quota.ask();
    expect(quota.ask().outcome).toBe('day_exhausted');
    expect(quota.usage()).toMatchObject({ minute: { used: 1 }, day: { used: 3 } });
  });

  test('charges the cost to both windows, and only if it fits both', () => {
    quota.limits = { minute: 5, day: 100 };
    expect(quota.ask(3)).toMatchObject({ admitted: true, minute: { used: 3 }, day: { used: 3 } });
    expect(quota.ask(3)).toMatchObject({ admitted: false, minute: { used: 3 }, retryAt: noon + MINUTE });
    expect(quota.ask(2)).toMatchObject({ admitted: true, minute: { used: 5 } });
  });

  test('always refuses a cost above the limit, which earns no strikes', () => {
    expect(quota.ask(3)).toMatchObject({
      admitted: false,
      outcome: 'cost_exceeds_limit',
      retryAt: 0,
      minute: { used: 0 },
    });
    quota.now += 2 * SECOND;
    expect(quota.ask(3).strikes).toBe(0);
    expect(quota.ask(2).admitted).toBe(true);
  });
});

describe('refusals', () => {
  test('name the exhausted window, and the day if both are exhausted', () => {
    quota.askTimes(2);
    expect(quota.ask().outcome).toBe('minute_exhausted');
    quota.limits = { minute: 2, day: 2 };
    expect(quota.ask().outcome).toBe('day_exhausted');
    quota.now += MINUTE;
    expect(quota.ask().outcome).toBe('day_exhausted');
  });

  test('last until all exhausted windows have reset', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.askTimes(2);
    expect(quota.ask()).toMatchObject({ retryAt: midnight + DAY, binding: 'day' });

    [quota.state, quota.now] = [initialState, midnight - 10 * SECOND];
    quota.askTimes(2);
    expect(quota.ask()).toMatchObject({ retryAt: midnight + 50 * SECOND, binding: 'minute', outcome: 'day_exhausted' });
  });

  test('have no Retry-After once a request is admitted', () => {
    expect(quota.ask()).toMatchObject({ retryAt: 0, strikes: 0, banStarted: false, ban: null });
  });
});

describe('the binding window', () => {
  test('is the exhausted one, however few requests the other has left', () => {
    quota.limits = { minute: 4, day: 5 };
    quota.askTimes(4);
    expect(quota.usage().binding).toBe('minute');
    quota.limits = { minute: 5, day: 4 };
    expect(quota.usage().binding).toBe('day');
  });

  test('is the one that resets last if both are exhausted', () => {
    quota.limits = { minute: 2, day: 2 };
    quota.now = midnight - 10 * SECOND;
    quota.askTimes(2);
    expect(quota.usage().binding).toBe('minute');
    quota.state = initialState;
    quota.now = noon;
    quota.askTimes(2);
    expect(quota.usage().binding).toBe('day');
  });

  test('is a window without room for the refused cost', () => {
    quota.limits = { minute: 10, day: 12 };
    quota.ask(9);
    quota.now += MINUTE;
    quota.ask();
    expect(quota.ask(3)).toMatchObject({ outcome: 'day_exhausted', minute: { remaining: 9 }, day: { remaining: 2 } });
    expect(quota.ask(3).binding).toBe('day');
  });

  test('is otherwise the one with the fewest units left', () => {
    expect(quota.ask().binding).toBe('minute');
    quota.limits = { minute: 10, day: 10 };
    quota.now += MINUTE;
    expect(quota.ask()).toMatchObject({ minute: { remaining: 9 }, day: { remaining: 8 }, binding: 'day' });
  });

  test('is the one that resets later if both have the same number of requests left', () => {
    quota.limits = { minute: 5, day: 5 };
    expect(quota.ask().binding).toBe('day');
    [quota.state, quota.now] = [initialState, midnight - 10 * SECOND];
    expect(quota.ask().binding).toBe('minute');
    [quota.state, quota.now] = [initialState, midnight - MINUTE];
    expect(quota.ask().binding).toBe('day');
  });
});

describe('shadow mode', () => {
  beforeEach(() => {
    quota.mode = 'shadow';
  });

  test('charges and admits what it would have refused, and reports why', () => {
    expect(quota.askTimes(3).at(-1)).toMatchObject({
      admitted: true,
      outcome: 'minute_exhausted',
      retryAt: 0,
      minute: { used: 3, remaining: 0 },
      day: { used: 3 },
    });
    expect(quota.ask(7)).toMatchObject({ admitted: true, outcome: 'cost_exceeds_limit', minute: { used: 10 } });
  });

  test('only reports a ban that strikes would have started', () => {
    expect(quota.earnStrikes(10)).toMatchObject({ admitted: true, outcome: 'banned', banStarted: true, ban: null });
    expect(quota.ask()).toMatchObject({ admitted: true, strikes: 1 });
    expect(quota.state.banLevel).toBe(0);
  });

  test('enforces a manual ban, but not an automatic one from before', () => {
    quota.mode = 'enforce';
    quota.earnStrikes(10);
    quota.mode = 'shadow';
    expect(quota.ask()).toMatchObject({ admitted: true, outcome: 'banned', minute: { used: 3 } });
    quota.state = ban(quota.state, quota.now, MINUTE, policy);
    expect(quota.ask()).toMatchObject({ admitted: false, outcome: 'banned', minute: { used: 3 } });
  });

  test('counts no strikes for refusals that the client did not see', () => {
    quota.earnStrikes(9);
    quota.mode = 'enforce';
    expect(quota.ask()).toMatchObject({ admitted: false, strikes: 0 });
    quota.now += SECOND + 1;
    expect(quota.ask().strikes).toBe(1);
  });
});

describe('changed limits', () => {
  test('apply from the next request, and counters carry over', () => {
    quota.askTimes(2);
    quota.limits = { minute: 3, day: 100 };
    expect(quota.ask()).toMatchObject({ admitted: true, minute: { limit: 3, used: 3, remaining: 0 } });
  });

  test('never leave a negative remainder', () => {
    quota.askTimes(2);
    quota.limits = { minute: 1, day: 1 };
    expect(quota.ask()).toMatchObject({ admitted: false, minute: { used: 2, remaining: 0 }, day: { remaining: 0 } });
  });
});

test('a clock that goes back by a few seconds is treated as standing still', () => {
  quota.askTimes(2);
  quota.now -= 5 * SECOND;
  expect(quota.ask()).toMatchObject({ now: noon, admitted: false, retryAt: noon + MINUTE, day: { used: 2 } });
  expect(ban(quota.state, quota.now, 1000, policy)).toMatchObject({ banFrom: noon, banUntil: noon + 1000 });
});

test('a clock that was ahead and is corrected moves future times to now', () => {
  quota.limits = { minute: 2, day: 3 };
  quota.now += DAY;
  quota.askTimes(2);
  quota.now = noon;
  const reset = { minute: { used: 2, resetAt: noon + MINUTE }, day: { used: 2, resetAt: midnight + DAY } };
  expect(quota.ask()).toMatchObject({ now: noon, admitted: false, retryAt: noon + MINUTE, ...reset });
  quota.now += MINUTE;
  expect(quota.ask()).toMatchObject({ admitted: true, minute: { used: 1 }, day: { used: 3 } });
  expect(quota.ask()).toMatchObject({ outcome: 'day_exhausted', retryAt: midnight + DAY });
});

test('a state expires when its windows, strikes, ban and forgiveness have expired', () => {
  expect(computeExpiry(initialState, policy)).toBe(0);
  quota.ask();
  expect(computeExpiry(quota.state, policy)).toBe(midnight + DAY);
  expect(computeExpiry(ban(initialState, noon, 2 * DAY, policy), policy)).toBe(noon + 2 * DAY);
  [quota.state, quota.now] = [initialState, midnight - 10 * SECOND];
  quota.earnStrikes(1);
  expect(computeExpiry(quota.state, policy)).toBe(quota.now + 5 * MINUTE + 1);
  quota.askTimes(9);
  expect(computeExpiry(quota.state, policy)).toBe(quota.now + MINUTE + DAY);
});
