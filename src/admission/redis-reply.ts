import type { BanView, Decision, Limits, Millis, Outcome, State, Usage } from './quota.ts';
import { banView } from './bans.ts';
import { DAY, initialState } from './state.ts';
import { view } from './usage.ts';

/** In the order of their numbers in admit.lua. */
const OUTCOMES: readonly Outcome[] = ['admitted', 'minute_exhausted', 'day_exhausted', 'banned', 'cost_exceeds_limit'];

const TOO_LATE = -1;

/** True where the script ran after its deadline, and so did nothing. */
export function isTooLate(reply: readonly number[]): boolean {
  return reply[0] === TOO_LATE;
}

/** The store's time when the script ran. */
export function timeOf(reply: readonly number[]): Millis {
  return reply[1] ?? 0;
}

export function readDecision(reply: readonly number[], cost: number, limits: Limits): Decision {
  const [code = 0, , , , , retryAt = 0, strikes = 0] = reply;
  const outcome = OUTCOMES[code >> 2];
  if (outcome === undefined) throw new Error(`admit.lua answered with an outcome that is not known: ${code}`);
  const admitted = (code & 2) !== 0;
  const usage = view(readState(reply), limits, admitted || cost > limits.minute ? 1 : cost);
  return { ...usage, admitted, outcome, retryAt, strikes, banStarted: (code & 1) !== 0 };
}

export function readUsage(reply: readonly number[], limits: Limits): Usage {
  return view(readState(reply), limits, 1);
}

export function readBan(reply: readonly number[]): BanView | null {
  return banView(readState(reply));
}

function readState(reply: readonly number[]): State {
  const [, seen = 0, minuteStart = 0, minuteUsed = 0, dayUsed = 0, , , ...ban] = reply;
  const [banFrom = 0, banUntil = 0, banLevel = 0, banManual = 0] = ban;
  return {
    ...initialState,
    seen,
    minuteStart,
    minuteUsed,
    dayStart: seen - (seen % DAY),
    dayUsed,
    banFrom,
    banUntil,
    banLevel,
    banManual: banManual === 1 ? 1 : 0,
  };
}
