const STATE_WORDS = {
  // States of keys, accounts, webhooks and bans.
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
  // States of deliveries.
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  // States of plans.
  enforce: 'Enforced',
  shadow: 'Shadow',
  // States of operations.
  experimental: 'Experimental',
  draft: 'Draft',
  alpha: 'Alpha',
  beta: 'Beta',
  stable: 'Stable',
  deprecated: 'Deprecated',
  public: 'Public',
  // States of gateways and of their dependencies.
  running: 'Running',
  stopped: 'Stopped',
  gone: 'Gone',
  ready: 'Ready',
  degraded: 'Degraded',
  away: 'Unreachable',
  unknown: 'Not checked',
} as const;

/** The states, named as in the APIs. */
type State = keyof typeof STATE_WORDS;

/** Returns the word for a state, which badges, filters and facts share. */
export function findStateWord(state: State): string {
  return STATE_WORDS[state];
}

/** Creates the options of a select that filters by state. */
export function createStateOptions<Choice extends State>(...states: readonly Choice[]) {
  return states.map((value) => ({ value, label: findStateWord(value) }));
}
