export const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/**
 * Merges two lists of header names into one comma-separated list without duplicates.
 *
 * @param given comma-separated; may be empty
 */
export function mergeNames(own: readonly string[], given: string): string {
  const names = new Map<string, string>();
  for (const each of [...own, ...given.split(',')]) {
    const name = each.trim();
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].join(', ');
}
