/** The parameters of the address that a period is in. Apart from `period.ts`, because routes are in every first screen. */
export const PERIOD_PARAMETERS = ['period', 'from', 'to', 'compare'] as const;
