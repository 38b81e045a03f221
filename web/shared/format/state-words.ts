const WORDS = {
  // Keys, accounts, webhooks and bans.
  active: 'Active',
  disabled: 'Disabled',
  enabled: 'Enabled',
  revoked: 'Revoked',
  expired: 'Expired',
  banned: 'Banned',
  rotating: 'Rotating',
  lifted: 'Lifted',
  replaced: 'Replaced',
  failing: 'Failing',
  // Deliveries.
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  // Plans.
  enforce: 'Enforced',
  shadow: 'Shadow',
  // Operations.
  experimental: 'Experimental',
  draft: 'Draft',
  alpha: 'Alpha',
  beta: 'Beta',
  stable: 'Stable',
  deprecated: 'Deprecated',
  public: 'Public',
  // Gateways and what they need.
  running: 'Running',
  stopped: 'Stopped',
  gone: 'Gone',
  ready: 'Ready',
  degraded: 'Degraded',
  away: 'Unreachable',
  unknown: 'Not checked',
} as const;

/** As the APIs have it. */
type State = keyof typeof WORDS;

/** The word for a state, the same in badges, filters and facts. */
export function stateWord(state: State): string {
  return WORDS[state];
}

/** Options of a filter. */
export function stateOptions<One extends State>(...states: readonly One[]) {
  return states.map((value) => ({ value, label: stateWord(value) }));
}
