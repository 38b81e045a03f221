/**
 * For a check of a whole that must run even if its parts have faults, so that all faults are reported at once (by
 * default, zod skips it). Such a check must expect any value.
 */
export const ALWAYS = { when: () => true };

/** Of values that may be anything: comparing objects may fail. */
export function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one > other;
}
