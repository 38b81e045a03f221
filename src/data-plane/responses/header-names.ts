/** Headers whose value is a list of header names. */

export const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/** Merges two lists of header names into one without duplicates. @param given comma-separated; empty: none */
export function mergeNames(own: readonly string[], given: string): string {
  const names = new Map<string, string>();
  for (const each of [...own, ...given.split(',')]) {
    const name = each.trim();
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].join(', ');
}
