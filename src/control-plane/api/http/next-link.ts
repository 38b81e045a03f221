/**
 * The header that leads to the next page of a table, which has no other place for the cursor (RFC 8288).
 *
 * @param path below the server, percent-encoded
 * @param query what was asked, without the cursor
 */
export function nextLink(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | null,
): { readonly Link?: string } {
  if (cursor === null) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  parameters.set('cursor', cursor);
  return { Link: `<${path}?${parameters.toString()}>; rel="next"` };
}
