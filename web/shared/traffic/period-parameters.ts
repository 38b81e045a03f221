/**
 * The parameters of the URL that contain a period. In a file apart from `period.ts`, because every first screen loads
 * the routes.
 */
export const PERIOD_PARAMETERS = ['period', 'from', 'to', 'compare'] as const;
