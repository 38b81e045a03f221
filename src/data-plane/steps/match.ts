import { HAS_ENCODED_SLASH } from '../../http/path-rules.ts';
import { createRouter, type Match } from '../../openapi/operation-router.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Step } from '../exchange/exchange.ts';

/**
 * Finds the operation, but does not refuse an unknown path: that happens after the key is checked and the request
 * counted.
 */
export function createMatch(routes: readonly Route[]): Step {
  const find = createRouter(routes);
  return function match(exchange) {
    const method = exchange.req.method ?? '';
    const { path } = exchange;
    const found = find(method, path);
    if (path.includes('%2F') && !passesEncodedSlashes(found)) {
      return { code: 'invalid_path', message: `The path ${HAS_ENCODED_SLASH}.` };
    }
    if (found.kind === 'operation' && path.includes(';') && !isSame(found, find(method, withoutParameters(path)))) {
      return {
        code: 'invalid_path',
        message:
          'Without the part after the semicolon, the path matches another operation. Remove it, or percent-encode the semicolon.',
      };
    }
    exchange.match = found;
    return undefined;
  };
}

/** The edge lets encoded slashes pass if any upstream takes them. */
function passesEncodedSlashes(found: Match<Route>): boolean {
  return found.kind === 'operation' && found.route.encodedSlashes === 'pass';
}

/** Some servers strip path parameters (`/a;b=c`, RFC 3986, 3.3) before routing; others do not. */
function withoutParameters(path: string): string {
  return path.replace(/;[^/]*/g, '').replace(/\/+(?=\/|$)/g, '') || '/';
}

function isSame(found: Match<Route>, other: Match<Route>): boolean {
  return found.kind === 'operation' && other.kind === 'operation' && found.route === other.route;
}
