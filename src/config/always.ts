/**
 * For a check of a whole that is to run also where its parts have faults, so that all faults are told at once (by itself,
 * zod would skip it). Such a check must expect any value.
 */
export const ALWAYS = { when: () => true };
