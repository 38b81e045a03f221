import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  ban,
  decide,
  type Decision,
  expiresAt,
  initialState,
  inspect,
  lift,
  type Limits,
  type Mode,
  reset,
  type State,
} from '../../src/admission/decide.ts';
import { usualPolicy as policy } from '../support/admission-history.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const midnight = Date.UTC(2026, 0, 6);
const noon = midnight + DAY / 2;

let state: State;
let now: number;
let limits: Limits;
let mode: Mode;

beforeEach(() => {
  [state, now, limits, mode] = [initialState, noon, { minute: 2, day: 100 }, 'enforce'];
});

function ask(cost = 1): Decision {
  const result = decide(state, now, cost, limits, policy, mode);
  state = result.state;
  return result.decision;
}

function askTimes(times: number): Decision[] {
  return Array.from({ length: times }, () => ask());
}

/** Earns `count` strikes in an exhausted minute window that was full at `now`. */
function earnStrikes(count: number): Decision {
  askTimes(3);
  now += SECOND + 1;
  return askTimes(count).at(-1)!;
}

const usage = () => inspect(state, now, limits);

describe('windows', () => {
  test('the minute opens with the first admitted request and lasts 60 s', () => {
    expect(usage().minute).toEqual({ limit: 2, used: 0, remaining: 2, resetAt: noon + MINUTE });
    ask();
    now += 59_999;
    expect(ask()).toMatchObject({ admitted: true, minute: { used: 2, remaining: 0, resetAt: noon + MINUTE } });
    expect(ask().admitted).toBe(false);
    now += 1;
    expect(ask()).toMatchObject({ admitted: true, minute: { used: 1, resetAt: noon + 2 * MINUTE } });
  });

  test('a refused request opens no window', () => {
    state = ban(state, now, MINUTE, policy);
    ask();
    expect(usage().minute).toMatchObject({ used: 0, resetAt: now + MINUTE });
  });

  test('the day is the UTC calendar day', () => {
    limits = { minute: 2, day: 2 };
    now = midnight - 1;
    expect(ask().day).toEqual({ limit: 2, used: 1, remaining: 1, resetAt: midnight });
    now = midnight;
    expect(ask().day).toEqual({ limit: 2, used: 1, remaining: 1, resetAt: midnight + DAY });
  });

  test('the minute window runs on across midnight', () => {
    now = midnight - 30 * SECOND;
    askTimes(2);
    now = midnight;
    expect(ask()).toMatchObject({ outcome: 'minute_exhausted', retryAt: midnight + 30 * SECOND, day: { used: 0 } });
  });
});

describe('charging', () => {
  test('is all or nothing: a full minute leaves the day alone', () => {
    askTimes(4);
    expect(usage()).toMatchObject({ minute: { used: 2 }, day: { used: 2 } });
  });

  test('is all or nothing: a full day leaves the minute alone', () => {
    limits = { minute: 2, day: 3 };
    askTimes(2);
    now += MINUTE;
    ask();
    expect(ask().outcome).toBe('day_exhausted');
    expect(usage()).toMatchObject({ minute: { used: 1 }, day: { used: 3 } });
  });

  test('takes the cost from both windows, and only where it fits', () => {
    limits = { minute: 5, day: 100 };
    expect(ask(3)).toMatchObject({ admitted: true, minute: { used: 3 }, day: { used: 3 } });
    expect(ask(3)).toMatchObject({ admitted: false, minute: { used: 3 }, retryAt: noon + MINUTE });
    expect(ask(2)).toMatchObject({ admitted: true, minute: { used: 5 } });
  });

  test('refuses a cost above the limit for good, and counts no refusal', () => {
    expect(ask(3)).toMatchObject({ admitted: false, outcome: 'cost_exceeds_limit', retryAt: 0, minute: { used: 0 } });
    now += 2 * SECOND;
    expect(ask(3).strikes).toBe(0);
    expect(ask(2).admitted).toBe(true);
  });
});

describe('refusals', () => {
  test('name the minute, the day, or the day where both are exhausted', () => {
    askTimes(2);
    expect(ask().outcome).toBe('minute_exhausted');
    limits = { minute: 2, day: 2 };
    expect(ask().outcome).toBe('day_exhausted');
    now += MINUTE;
    expect(ask().outcome).toBe('day_exhausted');
  });

  test('end with the exhausted window that frees last', () => {
    limits = { minute: 2, day: 2 };
    askTimes(2);
    expect(ask()).toMatchObject({ retryAt: midnight + DAY, binding: 'day' });

    [state, now] = [initialState, midnight - 10 * SECOND];
    askTimes(2);
    expect(ask()).toMatchObject({ retryAt: midnight + 50 * SECOND, binding: 'minute', outcome: 'day_exhausted' });
  });

  test('leave nothing to retry once admitted', () => {
    expect(ask()).toMatchObject({ retryAt: 0, strikes: 0, banStarted: false, ban: null });
  });
});

describe('the binding window', () => {
  test('is the exhausted one, however little the other has left', () => {
    limits = { minute: 4, day: 5 };
    askTimes(4);
    expect(usage().binding).toBe('minute');
    limits = { minute: 5, day: 4 };
    expect(usage().binding).toBe('day');
  });

  test('of two exhausted is the one that frees last', () => {
    limits = { minute: 2, day: 2 };
    now = midnight - 10 * SECOND;
    askTimes(2);
    expect(usage().binding).toBe('minute');
    state = initialState;
    now = noon;
    askTimes(2);
    expect(usage().binding).toBe('day');
  });

  test('counts a window as exhausted that lacks room for the refused cost', () => {
    limits = { minute: 10, day: 12 };
    ask(9);
    now += MINUTE;
    ask();
    expect(ask(3)).toMatchObject({ outcome: 'day_exhausted', minute: { remaining: 9 }, day: { remaining: 2 } });
    expect(ask(3).binding).toBe('day');
  });

  test('else is the one with the least remaining', () => {
    expect(ask().binding).toBe('minute');
    limits = { minute: 10, day: 10 };
    now += MINUTE;
    expect(ask()).toMatchObject({ minute: { remaining: 9 }, day: { remaining: 8 }, binding: 'day' });
  });

  test('of equals is the one with the later reset', () => {
    limits = { minute: 5, day: 5 };
    expect(ask().binding).toBe('day');
    [state, now] = [initialState, midnight - 10 * SECOND];
    expect(ask().binding).toBe('minute');
    [state, now] = [initialState, midnight - MINUTE];
    expect(ask().binding).toBe('day');
  });
});

describe('strikes', () => {
  test('are not earned by the first refusal, nor within 1 s of it', () => {
    askTimes(2);
    expect(ask().strikes).toBe(0);
    now += SECOND;
    expect(ask().strikes).toBe(0);
    now += 1;
    expect(ask().strikes).toBe(1);
  });

  test('are not earned by requests that succeed', () => {
    earnStrikes(1);
    now = noon + MINUTE;
    expect(ask()).toMatchObject({ admitted: true, strikes: 1 });
  });

  test('need a refusal of the new window before they are earned in it', () => {
    earnStrikes(1);
    now = noon + MINUTE;
    expect(askTimes(3).at(-1)).toMatchObject({ admitted: false, strikes: 1 });
  });

  test('need a refusal of the very window that Retry-After named', () => {
    askTimes(3);
    now += SECOND + 1;
    limits = { minute: 2, day: 2 };
    expect(ask()).toMatchObject({ outcome: 'day_exhausted', strikes: 0 });
    now += SECOND + 1;
    expect(ask().strikes).toBe(1);
  });

  test('ban at ten, and the request that completes them is answered as banned', () => {
    expect(earnStrikes(9)).toMatchObject({ strikes: 9, ban: null, outcome: 'minute_exhausted' });
    expect(ask()).toEqual({
      now,
      minute: { limit: 2, used: 2, remaining: 0, resetAt: noon + MINUTE },
      day: { limit: 100, used: 2, remaining: 98, resetAt: midnight + DAY },
      binding: 'minute',
      ban: { from: now, until: now + MINUTE, level: 1, manual: false },
      admitted: false,
      outcome: 'banned',
      retryAt: now + MINUTE,
      strikes: 10,
      banStarted: true,
    });
    expect(ask()).toMatchObject({ outcome: 'banned', strikes: 0, banStarted: false });
  });

  test.each([
    [100, 10],
    [101, 11],
    [1000, 100],
  ])('of a minute limit of %d ban at %d', (minute, threshold) => {
    limits = { minute, day: 10 * minute };
    askTimes(minute + 1);
    now += SECOND + 1;
    expect(askTimes(threshold).map((decision) => decision.banStarted)).toEqual([
      ...Array<boolean>(threshold - 1).fill(false),
      true,
    ]);
  });

  test('count together within 5 minutes of the first', () => {
    limits = { minute: 2, day: 2 };
    earnStrikes(9);
    const first = now;
    now = first + 5 * MINUTE;
    expect(ask().banStarted).toBe(true);
  });

  test('count from the first, however many follow', () => {
    limits = { minute: 2, day: 2 };
    earnStrikes(1);
    now += 4 * MINUTE;
    expect(ask().strikes).toBe(2);
    now += 2 * MINUTE;
    expect(ask().strikes).toBe(1);
  });

  test('lapse after 5 minutes', () => {
    limits = { minute: 2, day: 2 };
    earnStrikes(9);
    now += 5 * MINUTE + 1;
    expect(ask()).toMatchObject({ banStarted: false, strikes: 1 });
    now = midnight + DAY;
    expect(ask()).toMatchObject({ admitted: true, strikes: 0 });
  });

  test('complete a ban only by one more, not by a limit that was lowered below their number', () => {
    limits = { minute: 200, day: 1000 };
    askTimes(201);
    now += SECOND + 1;
    expect(askTimes(15).at(-1)!.strikes).toBe(15);
    now = noon + MINUTE;
    limits = { minute: 2, day: 1000 };
    expect(askTimes(3).at(-1)).toMatchObject({ outcome: 'minute_exhausted', banStarted: false });
  });
});

test('an endless grace earns nobody a strike', () => {
  const lenient = { ...policy, grace: Infinity };
  for (let i = 0; i < 50; i++, now += SECOND) state = decide(state, now, 1, { minute: 1, day: 1 }, lenient).state;
  expect(state).toMatchObject({ minuteUsed: 1, strikes: 0, banUntil: 0 });
});

describe('bans for strikes', () => {
  /** Gets banned; leaves the clock at the end of that ban, and returns its length in minutes. */
  function getBanned(): number {
    limits = { minute: 1, day: 1000 };
    now += MINUTE;
    earnStrikes(10);
    const { from, until } = usage().ban!;
    now = until;
    return (until - from) / MINUTE;
  }

  test('last 1, 5, 15, 60 and again 60 minutes', () => {
    expect([1, 2, 3, 4, 5].map(getBanned)).toEqual([1, 5, 15, 60, 60]);
  });

  test('start over wholly once 24 h have passed since the last one ended', () => {
    [1, 2, 3].forEach(getBanned);
    now += DAY - 2 * MINUTE;
    expect(getBanned()).toBe(60);
    now += DAY - MINUTE;
    expect(getBanned()).toBe(1);
  });

  test('are not extended by the requests they refuse, which charge nothing', () => {
    const { ban } = earnStrikes(10);
    now += 30 * SECOND;
    expect(askTimes(30).at(-1)).toMatchObject({ ban, outcome: 'banned', strikes: 0, minute: { used: 2 } });
    now = ban!.until - 1;
    expect(ask().outcome).toBe('banned');
    now += 1;
    expect(ask().admitted).toBe(true);
  });

  test('are reported with the end of an exhausted window where that is later', () => {
    limits = { minute: 2, day: 2 };
    expect(earnStrikes(10)).toMatchObject({ outcome: 'banned', retryAt: midnight + DAY });
    expect(ask().retryAt).toBe(midnight + DAY);
  });
});

describe('bans by hand', () => {
  test('hold at once, for as long as was said', () => {
    state = ban(state, now, 5000, policy);
    const expected = { from: noon, until: noon + 5000, level: 0, manual: true };
    expect(ask()).toMatchObject({ outcome: 'banned', ban: expected, retryAt: noon + 5000 });
    now += 5000;
    expect(ask()).toMatchObject({ admitted: true, ban: null });
  });

  test('replace the ban that runs, also by a shorter one, and raise no level', () => {
    earnStrikes(10);
    state = ban(state, now, 1000, policy);
    expect(usage().ban).toEqual({ from: now, until: now + 1000, level: 1, manual: true });
  });

  test('clear the strikes', () => {
    earnStrikes(5);
    state = ban(state, now, 1, policy);
    now += 1;
    expect(ask().strikes).toBe(1);
  });

  test('put forgiveness off: it counts from the end of the last ban', () => {
    earnStrikes(10);
    now += DAY;
    state = ban(state, now, MINUTE, policy);
    now += DAY;
    expect(expiresAt(state, policy)).toBe(now + MINUTE);
  });
});

describe('lift', () => {
  test('ends a ban at once and clears the strikes', () => {
    earnStrikes(10);
    state = lift(state, now);
    expect(ask()).toMatchObject({ outcome: 'minute_exhausted', ban: null, strikes: 1 });
  });

  test('keeps the level: the next ban is a longer one', () => {
    earnStrikes(10);
    state = lift(state, now);
    expect(askTimes(10).at(-1)!.ban).toMatchObject({ until: now + 5 * MINUTE, level: 2 });
  });

  test('without a ban clears the strikes and no more', () => {
    earnStrikes(5);
    state = lift(state, now);
    expect(state).toMatchObject({ strikes: 0, minuteUsed: 2, banUntil: 0 });
  });
});

test('a reset empties both windows and clears the strikes; a ban goes on', () => {
  earnStrikes(5);
  state = reset(state, now);
  expect(askTimes(3).at(-1)).toMatchObject({ minute: { used: 2 }, day: { used: 2 }, strikes: 0 });
  state = reset(ban(state, now, MINUTE, policy), now);
  expect(ask()).toMatchObject({ outcome: 'banned', minute: { used: 0 } });
});

describe('shadow mode', () => {
  beforeEach(() => {
    mode = 'shadow';
  });

  test('charges and lets through what it would have refused, and says why', () => {
    expect(askTimes(3).at(-1)).toMatchObject({
      admitted: true,
      outcome: 'minute_exhausted',
      retryAt: 0,
      minute: { used: 3, remaining: 0 },
      day: { used: 3 },
    });
    expect(ask(7)).toMatchObject({ admitted: true, outcome: 'cost_exceeds_limit', minute: { used: 10 } });
  });

  test('only reports the ban that strikes would have started', () => {
    expect(earnStrikes(10)).toMatchObject({ admitted: true, outcome: 'banned', banStarted: true, ban: null });
    expect(ask()).toMatchObject({ admitted: true, strikes: 1 });
    expect(state.banLevel).toBe(0);
  });

  test('holds a ban by hand, but not one that strikes started before', () => {
    mode = 'enforce';
    earnStrikes(10);
    mode = 'shadow';
    expect(ask()).toMatchObject({ admitted: true, outcome: 'banned', minute: { used: 3 } });
    state = ban(state, now, MINUTE, policy);
    expect(ask()).toMatchObject({ admitted: false, outcome: 'banned', minute: { used: 3 } });
  });

  test('leaves no strike behind for refusals that nobody was told of', () => {
    earnStrikes(9);
    mode = 'enforce';
    expect(ask()).toMatchObject({ admitted: false, strikes: 0 });
    now += SECOND + 1;
    expect(ask().strikes).toBe(1);
  });
});

describe('changed limits', () => {
  test('hold from the next request on, and the counters carry over', () => {
    askTimes(2);
    limits = { minute: 3, day: 100 };
    expect(ask()).toMatchObject({ admitted: true, minute: { limit: 3, used: 3, remaining: 0 } });
  });

  test('never leave less than nothing', () => {
    askTimes(2);
    limits = { minute: 1, day: 1 };
    expect(ask()).toMatchObject({ admitted: false, minute: { used: 2, remaining: 0 }, day: { remaining: 0 } });
  });
});

test('a clock that runs backwards counts as standing still', () => {
  askTimes(2);
  now -= DAY;
  expect(ask()).toMatchObject({ now: noon, admitted: false, retryAt: noon + MINUTE, day: { used: 2 } });
  expect(ban(state, now, 1000, policy)).toMatchObject({ banFrom: noon, banUntil: noon + 1000 });
});

test('a state expires when windows, strikes, ban and forgiveness have', () => {
  expect(expiresAt(initialState, policy)).toBe(0);
  ask();
  expect(expiresAt(state, policy)).toBe(midnight + DAY);
  expect(expiresAt(ban(initialState, noon, 2 * DAY, policy), policy)).toBe(noon + 2 * DAY);
  [state, now] = [initialState, midnight - 10 * SECOND];
  earnStrikes(1);
  expect(expiresAt(state, policy)).toBe(now + 5 * MINUTE + 1);
  askTimes(9);
  expect(expiresAt(state, policy)).toBe(now + MINUTE + DAY);
});
