import { withoutKeys } from '../../http/redact-keys.ts';
import { METHODS, type Operation } from '../../openapi/openapi.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';

/** Of a path, this many characters are kept. */
const MAX_PATH = 500;
const KNOWN: ReadonlySet<string> = new Set([...METHODS, 'CONNECT', 'TRACE']);
const OTHER = '_OTHER';

/** The method; any that HTTP does not know is `_OTHER`: what spans are grouped by must not be the consumer's choice. */
export function knownMethod(method = ''): string {
  return KNOWN.has(method) ? method : OTHER;
}

/** The name of a span: the method, and the template of the path if there is an operation; never the path itself. */
export function spanName(method: string | undefined, operation: Operation | null): string {
  const known = knownMethod(method);
  if (operation === null) return known === OTHER ? 'HTTP' : known;
  return `${known} ${operation.path}`;
}

/** A path as spans may have it: without keys, as in the log. */
export function spanPath(path: string): string {
  return withoutKeys(normalizeEscapes(path)).slice(0, MAX_PATH);
}
