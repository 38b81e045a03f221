/** The parameters of the address that a period is in, for routes. */
export const PERIOD_PARAMETERS = ['period', 'from', 'to', 'compare'] as const;
