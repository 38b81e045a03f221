export const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/**
 * Merges two lists of header names into one comma-separated list without duplicates.
 *
 * @param addedNames comma-separated; may be empty
 */
export function mergeHeaderNames(ownNames: readonly string[], addedNames: string): string {
  const names = new Map<string, string>();
  for (const rawName of [...ownNames, ...addedNames.split(',')]) {
    const name = rawName.trim();
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].join(', ');
}
