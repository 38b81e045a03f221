/**
 * The parameters of the URL that contain a period. They are not in `period.ts`, because every first screen loads the
 * routes, which need only these.
 */
export const PERIOD_PARAMETERS = ['period', 'from', 'to', 'compare'] as const;
