/** When a key is banned, and for how long. */
export interface BanPolicy {
  /** Strikes after which a key is banned, or a tenth of its minute limit if that is more. */
  readonly strikes: number;
  /** Strikes add up while they fall within this time of the first one. */
  readonly withinMs: number;
  /** Refusals this soon after a window's first one are not strikes: those requests were already in flight. */
  readonly graceMs: number;
  /** Length of the first, second, … ban; the last entry repeats. Never empty. */
  readonly durationsMs: readonly number[];
  /** The level is forgotten this long after the last ban ended. */
  readonly forgiveAfterMs: number;
}
