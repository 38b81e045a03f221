import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ban, lift, computeExpiry } from '../../../src/data-plane/admission/ban-rules.ts';
import { decide } from '../../../src/data-plane/admission/decide.ts';
import { initialState, type State } from '../../../src/data-plane/admission/state.ts';
import { reset } from '../../../src/data-plane/admission/windows.ts';
import { listWindows } from '../../../src/domain/quota-limits.ts';
import { inspect, type WindowView } from '../../../src/data-plane/admission/quota-usage.ts';
import { formatRetryAfter } from '../../../src/http/retry-after.ts';
import {
  anyLimits,
  histories,
  type History,
  play,
  type Step,
  defaultPolicy,
} from '../../support/models/admission-history.ts';
import { AdmissionModel } from '../../support/models/admission-model.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Admit = Extract<Step, { do: 'admit' }>;
/** Finds the effective time, and whether the clock was corrected. */
function clock({ now, before }: Pick<Step, 'now' | 'before'>): { time: number; corrected: boolean } {
  const corrected = now < before.seen - 5000;
  return { time: corrected ? now : Math.max(now, before.seen), corrected };
}
/** The time for which a client waits if it obeys `Retry-After`, in ms. */
function retryAfterMs({ now, retryAt }: { now: number; retryAt: number }): number {
  return 1000 * Number(formatRetryAfter(retryAt - now));
}
const admits = (steps: Step[]): Admit[] => steps.filter((step) => step.do === 'admit');

function always(
  arbitrary: fc.Arbitrary<History>,
  property: (steps: Step[], history: History) => void,
  numRuns = 500,
): void {
  fc.assert(
    fc.property(arbitrary, (history) => property(play(history), history)),
    { numRuns },
  );
}

test('decisions match the simple model in every field', () => {
  always(
    histories(),
    (steps, { policy }) => {
      const model = new AdmissionModel(policy);
      for (const step of steps) {
        if (step.do === 'admit') {
          const { now, cost, limits, mode, decision } = step;
          expect(decision).toEqual(model.admit(now, cost, limits, mode));
          const { outcome: _o, admitted: _a, retryAt: _r, strikes: _s, banStarted: _b, binding: _, ...seen } = decision;
          expect(inspect(step.after, now, limits)).toMatchObject(seen);
        } else if (step.do === 'ban') model.ban(step.now, step.ms);
        else if (step.do === 'lift') model.lift(step.now);
        else model.reset(step.now, step.window);
      }
    },
    2000,
  );
});

describe('quotas', () => {
  test('never admit more than the limit in a minute window, a UTC day or a UTC month', () => {
    always(histories({ without: ['limits', 'mode'] }), (steps, { limits }) => {
      let [opened, inMinute, day, inDay, month, inMonth] = [-Infinity, 0, 0, 0, '', 0];
      for (const step of steps) {
        const { time: now, corrected } = clock(step);
        const thisMonth = new Date(now).toISOString().slice(0, 7);
        if (corrected) [opened, day, month] = [Math.min(opened, now), Math.floor(now / DAY), thisMonth];
        // Windows that ended while the clock was ahead stay ended.
        if (now >= opened + MINUTE) [opened, inMinute] = [-Infinity, 0];
        if (Math.floor(now / DAY) !== day) [day, inDay] = [Math.floor(now / DAY), 0];
        if (thisMonth !== month) [month, inMonth] = [thisMonth, 0];
        if (step.do === 'reset') {
          const { window } = step;
          if (window === undefined || window === 'minute') [opened, inMinute] = [-Infinity, 0];
          if (window === undefined || window === 'day') inDay = 0;
          if (window === undefined || window === 'month') inMonth = 0;
        }
        if (step.do !== 'admit' || !step.decision.admitted) continue;
        if (inMinute === 0) opened = now;
        inMinute += step.cost;
        inDay += step.cost;
        inMonth += step.cost;
        expect(inMinute).toBeLessThanOrEqual(limits.minute);
        expect(inDay).toBeLessThanOrEqual(limits.day);
        expect(inMonth).toBeLessThanOrEqual(limits.month ?? Infinity);
      }
    });
  });

  test('admit and charge everything that fits the current limits, and charge nothing else', () => {
    always(histories({ without: ['mode'] }), (steps) => {
      for (const { before, now, cost, limits, decision } of admits(steps)) {
        const { ban, ...usage } = inspect(before, now, limits);
        const windows = listWindows<WindowView>(usage);
        const room = windows.every(({ view }) => view.used + cost <= view.limit);
        expect(decision.admitted).toBe(room && ban === null);
        const charged = windows.map(({ view }) => view.used + (decision.admitted ? cost : 0));
        expect(listWindows<WindowView>(decision).map(({ view }) => view.used)).toEqual(charged);
      }
    });
  });

  test('never report a negative remainder, or one above the limit', () => {
    always(histories(), (steps) => {
      for (const { decision } of admits(steps)) {
        for (const { view } of listWindows<WindowView>(decision)) {
          const { limit, used, remaining } = view;
          expect(remaining).toBe(Math.max(0, limit - used));
          expect(used).toBeGreaterThanOrEqual(0);
        }
      }
    });
  });

  test('count down only at the end of a window or after a reset', () => {
    always(histories(), (steps) => {
      for (const step of steps) {
        const { before, after } = step;
        const { time } = clock(step);
        expect(after.seen).toBe(time);
        if (step.do === 'reset') continue;
        if (time < before.minuteStart + MINUTE) expect(after.minuteUsed).toBeGreaterThanOrEqual(before.minuteUsed);
        if (time < before.dayStart + DAY) expect(after.dayUsed).toBeGreaterThanOrEqual(before.dayUsed);
        if (before.month !== null && time < before.month.end) {
          expect(after.month?.used).toBeGreaterThanOrEqual(before.month.used);
        }
      }
    });
  });

  test('refuse nothing in shadow mode, except during a manual ban', () => {
    always(histories(), (steps) => {
      for (const { mode, decision } of admits(steps)) {
        if (mode === 'shadow') expect(decision.admitted).toBe(decision.ban?.manual !== true);
        if (mode === 'shadow' && decision.ban !== null) expect(decision.banStarted).toBe(false);
      }
    });
  });
});

describe('bans', () => {
  test('end at the announced time, and none exceeds the longest duration', () => {
    always(histories({ without: ['ban', 'lift'] }), (steps, { policy }) => {
      for (const { after, decision, limits } of admits(steps)) {
        if (decision.ban === null) continue;
        expect(decision.ban.until - decision.now).toBeLessThanOrEqual(Math.max(...policy.durationsMs));
        expect(inspect(after, decision.ban.until - 1, limits).ban).not.toBeNull();
        expect(decide(after, decision.ban.until, 1, limits, policy).decision.ban).toBeNull();
      }
    });
  });

  test('are not extended, shortened or escalated by the requests they refuse', () => {
    always(histories(), (steps) => {
      for (const step of admits(steps)) {
        const { before, after } = step;
        const { time, corrected } = clock(step);
        if (corrected || time >= before.banUntil) continue;
        const { banFrom, banUntil, banLevel, banManual } = before;
        expect(after).toMatchObject({ banFrom, banUntil, banLevel, banManual });
      }
    });
  });

  const burst = fc.record({
    pause: fc.constantFrom(0, 1, 900, 5000, 59_000, 59_999),
    requests: fc.array(fc.record({ at: fc.nat(1000), cost: fc.constantFrom(1, 1, 1, 2, 3) }), {
      minLength: 1,
      maxLength: 12,
    }),
    limits: fc.option(anyLimits, { freq: 8 }),
    operator: fc.constantFrom('none', 'none', 'none', 'none', 'ban', 'lift', 'reset'),
  });

  test('never affect a client that waits for Retry-After', () => {
    fc.assert(
      fc.property(fc.nat(3 * MINUTE), anyLimits, fc.array(burst, { maxLength: 40 }), (start, agreed, bursts) => {
        const policy = { ...defaultPolicy, strikes: 1 };
        let [now, state, limits] = [Date.UTC(2026, 0, 5, 23, 58) + start, initialState, agreed];
        for (const { pause, requests, limits: changed, operator } of bursts) {
          now += pause;
          limits = changed ?? limits;
          state = operate(operator, state, now);
          let free = now;
          for (const { at, cost } of requests.toSorted((a, b) => a.at - b.at)) {
            const { state: after, decision } = decide(state, now + at, cost, limits, policy);
            state = after;
            expect(decision).toMatchObject({ banStarted: false, strikes: 0 });
            free = Math.max(free, now + at, decision.retryAt && now + at + retryAfterMs(decision));
          }
          now = free;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('never affect a client that pauses for at least patienceMs between its calls', () => {
    const gaps = fc.array(fc.constantFrom(0, 0, 0, 1, 29_000, 60_000, DAY), { maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(3 * MINUTE), anyLimits, gaps, (start, limits, more) => {
        const policy = { ...defaultPolicy, strikes: 1 };
        let [now, state] = [Date.UTC(2026, 0, 31, 23, 58) + start, initialState];
        for (const gap of more) {
          now += policy.patienceMs + gap;
          const { state: after, decision } = decide(state, now, 1, limits, policy);
          state = after;
          expect(decision).toMatchObject({ banStarted: false, strikes: 0 });
        }
      }),
      { numRuns: 500 },
    );
  });

  test('never affect a client that retries refused requests together, with at least patienceMs between rounds', () => {
    const calls = fc.array(fc.nat(defaultPolicy.graceMs), { minLength: 1, maxLength: 30 });
    const gaps = fc.array(fc.constantFrom(0, 0, 0, 1, 29_000, 60_000, DAY), { maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(3 * MINUTE), anyLimits, calls, gaps, (start, limits, offsets, more) => {
        const policy = { ...defaultPolicy, strikes: 1 };
        let [now, state] = [Date.UTC(2026, 0, 31, 23, 58) + start, initialState];
        let open = offsets.toSorted((a, b) => a - b);
        for (const gap of more) {
          now += policy.patienceMs + gap;
          open = open.filter((offset) => {
            const { state: after, decision } = decide(state, now + offset, 1, limits, policy);
            state = after;
            expect(decision).toMatchObject({ banStarted: false, strikes: 0 });
            return !decision.admitted;
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  function operate(operator: string, state: State, now: number): State {
    if (operator === 'ban') return ban(state, now, 7000, defaultPolicy);
    if (operator === 'lift') return lift(state, now);
    return operator === 'reset' ? reset(state, now) : state;
  }
});

/**
 * If a clock was an hour ahead and was corrected, minute windows that were opened in that hour once stayed open until
 * time had caught up with them, while Retry-After kept saying 60.
 */
describe('a clock correction', () => {
  const corrections = (steps: Step[]) => steps.filter((step) => clock(step).corrected);

  test('grants no extra quota, and no window ends later than a window that starts now', () => {
    always(histories(), (steps, { limits }) => {
      for (const { before, now } of corrections(steps)) {
        const { minute, day, month } = inspect(before, now, { month: limits.day, ...limits });
        expect([minute.used, day.used]).toEqual([before.minuteUsed, before.dayUsed]);
        if (before.month !== null && before.month.end > now) expect(month?.used).toBe(before.month.used);
        expect(minute.resetAt).toBeLessThanOrEqual(now + MINUTE);
        expect(day.resetAt).toBe((Math.floor(now / DAY) + 1) * DAY);
      }
    });
  });

  test('keeps the remaining time of a ban, and does not restart one that has ended', () => {
    always(histories(), (steps, { limits }) => {
      for (const { before, now } of corrections(steps)) {
        const { ban: held } = inspect(before, now, limits);
        const left = Math.max(0, before.banUntil - before.seen);
        expect(held === null ? 0 : held.until - now).toBe(left);
        if (held !== null) expect(held.from).toBeLessThanOrEqual(now);
      }
    });
  });

  test('leaves no past event with a time in the future', () => {
    always(histories(), (steps) => {
      for (const { after } of steps) {
        const noted = [
          'minuteStart',
          'minuteRefusedAt',
          'dayStart',
          'dayRefusedAt',
          'strikesSince',
          'lastRefusedAt',
          'banFrom',
        ] as const;
        for (const field of noted) expect(after[field]).toBeLessThanOrEqual(after.seen);
      }
    });
  });

  test('does not invalidate Retry-After: the client is admitted at that time', () => {
    always(histories({ without: ['limits', 'mode'] }), (steps, { limits, policy }) => {
      for (const { after, cost, mode, decision } of admits(steps)) {
        if (decision.retryAt === 0 || cost > limits.minute || mode === 'shadow') continue;
        const later = decision.now + retryAfterMs(decision);
        expect(decide(after, later, cost, limits, policy).decision.admitted).toBe(true);
      }
    });
  });
});

test('dropping an expired state changes no decision', () => {
  always(histories({ without: ['back', 'jump'] }), (steps, { policy }) => {
    let state = initialState;
    for (const step of steps) {
      if (step.now >= computeExpiry(state, policy)) state = initialState;
      if (step.do === 'admit') {
        const { now, cost, limits, mode } = step;
        const again = decide(state, now, cost, limits, policy, mode);
        expect(again.decision).toEqual(step.decision);
        state = again.state;
      } else if (step.do === 'ban') state = ban(state, step.now, step.ms, policy);
      else state = step.do === 'lift' ? lift(state, step.now) : reset(state, step.now, step.window);
    }
  });
});

test('an unused state expires', () => {
  always(histories({ without: ['ban'] }), (steps, { policy }) => {
    const longest = 31 * DAY + policy.withinMs + Math.max(...policy.durationsMs) + policy.forgiveAfterMs + 1;
    // A month that began before the clock was set back keeps its end.
    let latest = 0;
    for (const { after } of steps) {
      latest = Math.max(latest, after.seen);
      expect(computeExpiry(after, policy)).toBeLessThanOrEqual(latest + longest);
    }
  });
});
