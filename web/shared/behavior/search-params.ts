/** The query of a URL as plain text by name. If a name occurs twice, the last value counts. */
export function readSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The query string with a leading `?`, or an empty text. Undefined and empty values are left out. */
export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '');
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? '' : `?${query}`;
}

/** The parameters of the URL that a screen reads, all of them as text. */
export function only<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as { [name in Name]?: string };
}
