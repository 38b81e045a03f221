/**
 * Prepares the headers of requests to a target: removes those of the consumer's own connection, and adds the configured
 * ones, which win. `Host` is left to the pool, which knows the target's.
 *
 * @param configured values by name
 * @returns a function from and to flat `name, value` pairs
 */
export function createRequestHeaders(
  configured: Readonly<Record<string, string>>,
): (headers: readonly string[]) => string[] {
  const extra = Object.entries(configured).flat();
  const replaced = new Set(['host', 'transfer-encoding', ...Object.keys(configured).map((name) => name.toLowerCase())]);
  return function requestHeaders(headers) {
    const out: string[] = [];
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? '';
      if (!replaced.has(name.toLowerCase())) out.push(name, headers[index + 1] ?? '');
    }
    return extra.length === 0 ? out : out.concat(extra);
  };
}
