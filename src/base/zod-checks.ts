/**
 * Makes a check run even if parts of the value have errors, so that all errors are reported together. By default, zod
 * skips the check. The check must expect any value.
 */
export const ALWAYS = { when: () => true };

/** Compares values that may be anything. Comparing objects may fail, so only numbers are compared. */
export function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one > other;
}
