import { type Millis, DAY_MS, MINUTE_MS } from '../../base/time.ts';
import type { BanPolicy } from './bans.ts';
import type { State } from './state.ts';

/** From this time on, the state is equivalent to `initialState` and may be dropped. */
export function expiresAt(state: State, policy: BanPolicy): Millis {
  return Math.max(
    state.minuteUsed > 0 ? state.minuteStart + MINUTE_MS : 0,
    state.dayUsed > 0 ? state.dayStart + DAY_MS : 0,
    state.strikes > 0 ? state.strikesSince + policy.withinMs + 1 : 0,
    state.banLevel > 0 ? state.banUntil + policy.forgiveAfterMs : state.banUntil,
  );
}
