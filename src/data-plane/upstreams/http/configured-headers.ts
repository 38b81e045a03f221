import { rememberByName } from '../../../http/headers.ts';

/**
 * Adds the configured headers to requests to a target; they replace what the consumer sent under their names. `Host` and
 * `Transfer-Encoding` are left to the pool. What no service is ever sent was removed before: see
 * `src/data-plane/steps/rewrite-request.ts`.
 *
 * @param configured values by name
 * @returns a function from and to flat `name, value` pairs
 */
export function createConfiguredHeaders(
  configured: Readonly<Record<string, string>>,
): (headers: readonly string[]) => string[] {
  const extra = Object.entries(configured).flat();
  const replaced = new Set(['host', 'transfer-encoding', ...Object.keys(configured).map((name) => name.toLowerCase())]);
  const isReplaced = rememberByName((name) => replaced.has(name.toLowerCase()));
  return function withConfigured(headers) {
    const out: string[] = [];
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? '';
      if (!isReplaced(name)) out.push(name, headers[index + 1] ?? '');
    }
    return extra.length === 0 ? out : out.concat(extra);
  };
}
