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
  const given = Object.entries({ ...query, cursor }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const text = new URLSearchParams(given).toString();
  return { Link: `<${path}?${text}>; rel="next"` };
}
