/**
 * Whether requests are compared with the document of their service. `report`: requests that do not fit it are counted.
 * `enforce`: they are refused as well.
 */
export const VALIDATION_MODES = ['off', 'report', 'enforce'] as const;

export type ValidationMode = (typeof VALIDATION_MODES)[number];
