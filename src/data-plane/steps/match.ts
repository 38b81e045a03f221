import {
  API_CATALOG_PATH,
  GATEWAY_PREFIX,
  HAS_ENCODED_SLASH,
  pathFault,
  PROTECTED_RESOURCE_PATH,
} from '../../http/path-rules.ts';
import { createRouter, type Match, withSlashesInRest } from '../../openapi/operation-router.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Step } from '../exchange/exchange.ts';

type Find = (method: string, path: string) => Match<Route>;

/**
 * Finds the operation. A path that matches no operation is refused later, by `forward`. If the last parameter of the
 * operation may contain slashes, this step also replaces every `%2F` in its value with a slash.
 */
export function createMatch(routes: readonly Route[]): Step {
  const find = createRouter(routes);
  return function match(exchange) {
    const method = exchange.req.method ?? '';
    let found = find(method, exchange.path);
    if (exchange.path.includes('%2F')) {
      const read = readEncodedSlashes(find, method, exchange.path, found);
      if (typeof read === 'string') return { code: 'invalid_path', message: `The path ${read}.` };
      exchange.path = read.path;
      found = read.found;
    }
    const { path } = exchange;
    if (found.kind === 'operation' && path.includes(';') && !isSame(found, find(method, withoutParameters(path)))) {
      return {
        code: 'invalid_path',
        message:
          'Without the part after the semicolon, the path matches another operation. Remove it, or percent-encode the semicolon.',
      };
    }
    if (endsRestWithSlash(found, path) && !isSame(found, find(method, path.slice(0, -1)))) {
      return {
        code: 'invalid_path',
        message: 'Without the slash at its end, the path matches another operation. Remove the slash.',
      };
    }
    exchange.match = found;
    return undefined;
  };
}

/**
 * Decides about a path with encoded slashes. In a parameter that may contain slashes, they are decoded, so that the
 * service routes the same path as the gateway. Elsewhere, they are refused unless the operation accepts them: the edge
 * does not refuse them if any operation does.
 *
 * @param found the match of the path while its slashes are encoded
 * @returns the decoded path and its match; or the reason for refusing the path, phrased to follow “The path”
 */
function readEncodedSlashes(
  find: Find,
  method: string,
  path: string,
  found: Match<Route>,
): string | { readonly path: string; readonly found: Match<Route> } {
  if (found.kind !== 'operation') return HAS_ENCODED_SLASH;
  const { encodedSlashes } = found.route;
  const decoded = withSlashesInRest(path, found);
  if (decoded === path) return encodedSlashes === 'pass' ? { path, found } : HAS_ENCODED_SLASH;
  const fault = pathFault(decoded, encodedSlashes);
  if (fault !== null) return fault;
  // The decoded path may belong to the gateway, or match another operation that takes precedence.
  const isOwn = decoded === API_CATALOG_PATH || decoded === PROTECTED_RESOURCE_PATH;
  if (isOwn || decoded.startsWith(GATEWAY_PREFIX)) return HAS_ENCODED_SLASH;
  const again = find(method, decoded);
  return isSame(found, again) ? { path: decoded, found: again } : HAS_ENCODED_SLASH;
}

/** Removes path parameters (`/a;b=c`, RFC 3986, 3.3), because some servers strip them before routing. */
function withoutParameters(path: string): string {
  return path.replace(/;[^/]*/g, '').replace(/\/+(?=\/|$)/g, '') || '/';
}

/** Whether the value of a parameter that may contain slashes ends with one. Some servers ignore a slash at the end. */
function endsRestWithSlash(found: Match<Route>, path: string): boolean {
  return path.endsWith('/') && found.kind === 'operation' && found.route.operation.hasRest;
}

function isSame(found: Match<Route>, other: Match<Route>): boolean {
  return found.kind === 'operation' && other.kind === 'operation' && found.route === other.route;
}
