import type { BanPolicy } from '../admission/bans.ts';
import type { Config } from './load.ts';

/** The settings of bans, in the terms of the rule. */
export function banPolicyOf({ strikes, within, grace, durations, forgiveAfter }: Config['bans']): BanPolicy {
  return { strikes, withinMs: within, graceMs: grace, durationsMs: durations, forgiveAfterMs: forgiveAfter };
}
