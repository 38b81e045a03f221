/**
 * Options that make a check run even if parts of the value are invalid, so that all errors are reported together. By
 * default, zod skips the check then. The check must cope with any value.
 */
export const ALWAYS = { when: () => true };

/** Whether one number is greater than another. False if either value is not a number. */
export function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one > other;
}
