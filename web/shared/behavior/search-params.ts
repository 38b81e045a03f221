/** The query of an address as plain text by name; a name given twice counts once, the last. */
export function readSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** With a leading `?`, or nothing. What is undefined or empty is left out. */
export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '');
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? '' : `?${query}`;
}

/** The parameters in the address that a screen reads, all of them text. */
export function only<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as { [name in Name]?: string };
}
