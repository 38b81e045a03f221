/**
 * For a check that must run even if parts of the value have errors, so that all errors are reported together (by
 * default, zod skips it). Such a check must expect any value.
 */
export const ALWAYS = { when: () => true };

/** Compares values that may be anything: comparing objects may fail. */
export function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one > other;
}
