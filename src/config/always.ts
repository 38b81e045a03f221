/**
 * For a check of a whole that must run even if its parts have faults, so that all faults are reported at once (by
 * default, zod skips it). Such a check must expect any value.
 */
export const ALWAYS = { when: () => true };
