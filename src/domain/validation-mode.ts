/**
 * Whether requests are checked against their service's OpenAPI document. `report` counts requests that do not match it;
 * `enforce` also refuses them.
 */
export const VALIDATION_MODES = ['off', 'report', 'enforce'] as const;

export type ValidationMode = (typeof VALIDATION_MODES)[number];
