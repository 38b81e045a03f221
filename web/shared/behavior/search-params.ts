/** Parses the query of a URL into its parameters. If a name occurs twice, the last value counts. */
export function readSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/**
 * Formats a query string with a leading `?`, or an empty string if there are no parameters. Undefined and empty values
 * are left out.
 */
export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '');
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? '' : `?${query}`;
}

/** Returns a validator for a route that keeps only the named parameters of the URL, as text. */
export function keepParameters<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as { [name in Name]?: string };
}
