import {
  API_CATALOG_PATH,
  GATEWAY_PREFIX,
  HAS_ENCODED_SLASH,
  findPathFault,
  PROTECTED_RESOURCE_PATH,
} from '../../http/path-rules.ts';
import { createRouter, type Match, decodeSlashesInRest } from '../../openapi/operation-router.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Step } from '../exchange/exchange.ts';

type FindOperation = (method: string, path: string) => Match<Route>;

/**
 * Finds the operation. A path that matches no operation is refused later, by `forward`. If the last parameter of the
 * operation may contain slashes, this step also replaces every `%2F` in its value with a slash.
 */
export function createMatchStep(routes: readonly Route[]): Step {
  const findOperation = createRouter(routes);
  return function match(exchange) {
    const method = exchange.req.method ?? '';
    let operationMatch = findOperation(method, exchange.path);
    if (exchange.path.includes('%2F')) {
      const resolved = resolveEncodedSlashes(findOperation, method, exchange.path, operationMatch);
      if (typeof resolved === 'string') return { code: 'invalid_path', message: `The path ${resolved}.` };
      exchange.path = resolved.path;
      operationMatch = resolved.operationMatch;
    }
    const { path } = exchange;
    if (
      operationMatch.kind === 'operation' &&
      path.includes(';') &&
      !isSameRoute(operationMatch, findOperation(method, removePathParameters(path)))
    ) {
      return {
        code: 'invalid_path',
        message:
          'Without the part after the semicolon, the path matches another operation. Remove it, or percent-encode the semicolon.',
      };
    }
    if (
      hasTrailingSlashInRest(operationMatch, path) &&
      !isSameRoute(operationMatch, findOperation(method, path.slice(0, -1)))
    ) {
      return {
        code: 'invalid_path',
        message: 'Without the slash at its end, the path matches another operation. Remove the slash.',
      };
    }
    exchange.match = operationMatch;
    return undefined;
  };
}

/**
 * Decides about a path with encoded slashes. In a parameter that may contain slashes, they are decoded, so that the
 * service routes the same path as the gateway. Elsewhere, they are refused unless the operation accepts them: the edge
 * does not refuse them if any operation does.
 *
 * @param operationMatch the match of the path while its slashes are encoded
 * @returns the decoded path and its match; or the reason for refusing the path, phrased to follow “The path”
 */
function resolveEncodedSlashes(
  findOperation: FindOperation,
  method: string,
  path: string,
  operationMatch: Match<Route>,
): string | { readonly path: string; readonly operationMatch: Match<Route> } {
  if (operationMatch.kind !== 'operation') return HAS_ENCODED_SLASH;
  const { encodedSlashes } = operationMatch.route;
  const decoded = decodeSlashesInRest(path, operationMatch);
  if (decoded === path) return encodedSlashes === 'pass' ? { path, operationMatch } : HAS_ENCODED_SLASH;
  const fault = findPathFault(decoded, encodedSlashes);
  if (fault !== null) return fault;
  // The decoded path may belong to the gateway, or match another operation that takes precedence.
  const isOwn = decoded === API_CATALOG_PATH || decoded === PROTECTED_RESOURCE_PATH;
  if (isOwn || decoded.startsWith(GATEWAY_PREFIX)) return HAS_ENCODED_SLASH;
  const decodedMatch = findOperation(method, decoded);
  return isSameRoute(operationMatch, decodedMatch)
    ? { path: decoded, operationMatch: decodedMatch }
    : HAS_ENCODED_SLASH;
}

/** Removes path parameters (`/a;b=c`, RFC 3986, 3.3), because some servers strip them before routing. */
function removePathParameters(path: string): string {
  return path.replace(/;[^/]*/g, '').replace(/\/+(?=\/|$)/g, '') || '/';
}

/** Whether the value of a parameter that may contain slashes ends with one. Some servers ignore a slash at the end. */
function hasTrailingSlashInRest(operationMatch: Match<Route>, path: string): boolean {
  return path.endsWith('/') && operationMatch.kind === 'operation' && operationMatch.route.operation.hasRest;
}

function isSameRoute(operationMatch: Match<Route>, otherMatch: Match<Route>): boolean {
  return (
    operationMatch.kind === 'operation' && otherMatch.kind === 'operation' && operationMatch.route === otherMatch.route
  );
}
