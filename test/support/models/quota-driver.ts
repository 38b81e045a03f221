import { decide, type Decision } from '../../../src/data-plane/admission/decide.ts';
import { initialState, type State } from '../../../src/data-plane/admission/state.ts';
import { inspect } from '../../../src/data-plane/admission/quota-usage.ts';
import type { Limits, Mode } from '../../../src/domain/quota-limits.ts';
import { defaultPolicy } from './admission-history.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
export const midnight = Date.UTC(2026, 0, 6);
export const noon = midnight + DAY / 2;

/** A quota with a clock of its own, so that tests read as a sequence of client requests. */
export class QuotaDriver {
  state: State = initialState;
  now = noon;
  limits: Limits = { minute: 2, day: 100 };
  mode: Mode = 'enforce';

  ask(cost = 1): Decision {
    const { state, decision } = decide(this.state, this.now, cost, this.limits, defaultPolicy, this.mode);
    this.state = state;
    return decision;
  }

  askTimes(times: number): Decision[] {
    return Array.from({ length: times }, () => this.ask());
  }

  /**
   * Uses up the minute, waits until the grace period is over, and earns strikes.
   *
   * @returns the last decision
   */
  earnStrikes(count: number): Decision {
    this.askTimes(this.limits.minute + 1);
    this.now += SECOND + 1;
    return this.askTimes(count).at(-1)!;
  }

  usage() {
    return inspect(this.state, this.now, this.limits);
  }
}
