/** Headers whose value is a list of the names of headers. */

export const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/** @returns one list that has each name once @param given another such list; empty: none */
export function mergeNames(own: readonly string[], given: string): string {
  const names = new Map<string, string>();
  for (const each of [...own, ...given.split(',')]) {
    const name = each.trim();
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].join(', ');
}
