import * as fc from 'fast-check';
import { ban, lift } from '../../../src/data-plane/admission/ban-rules.ts';
import type { BanPolicy } from '../../../src/data-plane/admission/ban-rules.ts';
import { decide, type Decision } from '../../../src/data-plane/admission/decide.ts';
import { findMonth } from '../../../src/base/time.ts';
import { initialState, type State } from '../../../src/data-plane/admission/state.ts';
import { reset } from '../../../src/data-plane/admission/windows.ts';
import type { Limits, Mode, WindowName } from '../../../src/domain/quota-limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A generated event of one quota. `wait` waits for a time, and `edge` waits until just before, at or after a nearby
 * boundary.
 */
type Event =
  | { do: 'admit'; cost: number }
  | { do: 'burst'; count: number; gap: number; cost: number }
  | { do: 'wait'; ms: number }
  | { do: 'edge'; of: Edge; offset: number }
  | { do: 'limits'; limits: Limits }
  | { do: 'mode'; mode: Mode }
  | { do: 'ban'; ms: number }
  | { do: 'lift' }
  | { do: 'reset'; window?: WindowName };

type Edge = 'minute' | 'day' | 'month' | 'ban' | 'forgiveness' | 'strikes' | 'grace' | 'retry';

export interface History {
  readonly start: number;
  readonly policy: BanPolicy;
  readonly limits: Limits;
  readonly events: readonly Event[];
}

export type Step = { readonly now: number; readonly before: State; readonly after: State } & (
  | { readonly do: 'admit'; cost: number; limits: Limits; mode: Mode; decision: Decision }
  | { readonly do: 'ban'; ms: number }
  | { readonly do: 'lift' }
  | { readonly do: 'reset'; readonly window?: WindowName }
);

export const defaultPolicy: BanPolicy = Object.freeze({
  strikes: 10,
  withinMs: 5 * MINUTE,
  graceMs: 1000,
  patienceMs: 30_000,
  durationsMs: Object.freeze([1, 5, 15, 60].map((minutes) => minutes * MINUTE)),
  forgiveAfterMs: DAY,
});

/** A policy of the usual form with small numbers, so that a short history reaches every threshold. */
const quickPolicy: BanPolicy = Object.freeze({
  strikes: 2,
  withinMs: 10_000,
  graceMs: 500,
  patienceMs: 3000,
  durationsMs: Object.freeze([2000, 10_000, 45_000]),
  forgiveAfterMs: 90_000,
});

export const anyLimits: fc.Arbitrary<Limits> = fc
  // The limit 45 is large enough that a tenth of it exceeds the number of strikes for a ban.
  .record({
    minute: fc.constantFrom(1, 2, 3, 5, 5, 45),
    more: fc.nat(9),
    perMonth: fc.constantFrom(null, 0, 0, 1, 3, 12),
  })
  .map(({ minute, more, perMonth }) => {
    const day = minute + more;
    return Object.freeze(perMonth === null ? { minute, day } : { minute, day, month: day + perMonth });
  });

const cost = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 7 }) },
);
const offset = fc.constantFrom(-1000, -1, 0, 1, 1000);
const duration = fc.constantFrom(1, 500, 999, 1000, 1001, 10_000, 30_000, MINUTE - 1, MINUTE, 5 * MINUTE, DAY);
const edge = fc.constantFrom<Edge>('minute', 'day', 'month', 'ban', 'forgiveness', 'strikes', 'grace', 'retry');

const events = {
  admit: { weight: 8, arbitrary: fc.record({ do: fc.constant('admit' as const), cost }) },
  burst: {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('burst' as const),
      count: fc.integer({ min: 2, max: 14 }),
      gap: fc.constantFrom(0, 1, 400, 1001, 5000),
      cost: fc.constantFrom(1, 1, 1, 4, 15),
    }),
  },
  wait: { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: duration }) },
  edge: { weight: 6, arbitrary: fc.record({ do: fc.constant('edge' as const), of: edge, offset }) },
  back: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: duration.map((ms) => -ms) }),
  },
  /** The clock jumps in both directions. Some jumps are close to the threshold for a clock correction. */
  jump: {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(HOUR, -HOUR, DAY, -DAY, -4999, -5000, -5001, -MINUTE - 5001),
    }),
  },
  limits: { weight: 2, arbitrary: fc.record({ do: fc.constant('limits' as const), limits: anyLimits }) },
  mode: {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom<Mode>('enforce', 'shadow') }),
  },
  ban: { weight: 1, arbitrary: fc.record({ do: fc.constant('ban' as const), ms: duration }) },
  lift: {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constant({ do: 'lift' as const }),
      fc.constant({ do: 'reset' as const }),
      fc.record({ do: fc.constant('reset' as const), window: fc.constantFrom<WindowName>('minute', 'day', 'month') }),
    ),
  },
};

/** The histories begin shortly before midnight, within a month and at the end of months of every length. */
const starts = [
  Date.UTC(2026, 0, 5, 23, 58),
  Date.UTC(2026, 0, 31, 23, 58),
  Date.UTC(2026, 1, 28, 23, 58),
  Date.UTC(2028, 1, 28, 23, 58),
  Date.UTC(2028, 1, 29, 23, 58),
  Date.UTC(2026, 3, 30, 23, 58),
  Date.UTC(2026, 11, 31, 23, 58),
  Date.UTC(2100, 1, 28, 23, 58),
];

/**
 * Generates random histories.
 *
 * @param without kinds of events to leave out
 */
export function histories({ without = [] }: { without?: (keyof typeof events)[] } = {}): fc.Arbitrary<History> {
  const kinds = Object.entries(events).filter(([kind]) => !without.includes(kind as keyof typeof events));
  return fc.record({
    start: fc.tuple(fc.constantFrom(...starts), fc.nat(3 * MINUTE)).map(([start, ms]) => start + ms),
    policy: fc.constantFrom(defaultPolicy, quickPolicy),
    limits: anyLimits,
    events: fc.array(fc.oneof(...kinds.map(([, weighted]) => weighted as fc.WeightedArbitrary<Event>)), {
      maxLength: 60,
    }),
  });
}

/** Runs a history through `decide`. States are frozen, so that a function which changes its input throws. */
export function play({ start, policy, limits: agreed, events }: History): Step[] {
  const steps: Step[] = [];
  let [now, state, limits, mode] = [start, initialState, agreed, 'enforce' as Mode];
  const step = (after: State, what: object) => {
    steps.push({ now, before: state, after: Object.freeze(after), ...what } as Step);
    state = after;
  };
  const admit = (cost: number) => {
    const { state: after, decision } = decide(state, now, cost, limits, policy, mode);
    step(after, { do: 'admit', cost, limits, mode, decision });
  };

  for (const event of events) {
    if (event.do === 'admit') admit(event.cost);
    else if (event.do === 'wait') now += event.ms;
    else if (event.do === 'edge') now = Math.max(now, findEdge(event.of, state, steps, policy) + event.offset);
    else if (event.do === 'limits') limits = event.limits;
    else if (event.do === 'mode') mode = event.mode;
    else if (event.do === 'ban') step(ban(state, now, event.ms, policy), { ...event });
    else if (event.do === 'lift') step(lift(state, now), { ...event });
    else if (event.do === 'reset') step(reset(state, now, event.window), { ...event });
    else for (let i = 0; i < event.count; i++, now += event.gap) admit(event.cost);
  }
  return steps;
}

function findEdge(edge: Edge, state: State, steps: Step[], policy: BanPolicy): number {
  if (edge === 'minute') return state.minuteStart + MINUTE;
  if (edge === 'day') return state.dayStart + DAY;
  if (edge === 'month') return findMonth(state.seen).end;
  if (edge === 'ban') return state.banUntil;
  if (edge === 'forgiveness') return state.banUntil + policy.forgiveAfterMs;
  if (edge === 'strikes') return state.strikesSince + policy.withinMs;
  if (edge === 'grace')
    return Math.max(state.minuteRefusedAt, state.dayRefusedAt, state.month?.refusedAt ?? 0) + policy.graceMs;
  const last = steps.at(-1);
  return last?.do === 'admit' ? last.decision.retryAt : 0;
}
