import { createRouter } from '../upstreams/router.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Step } from './exchange.ts';

/**
 * Finds the operation. Only records what it found: that there is no such path is told after the key was checked and
 * the request counted.
 */
export function createMatch(routes: readonly Route[]): Step {
  const find = createRouter(routes);
  return function match(exchange) {
    exchange.match = find(exchange.req.method ?? '', exchange.path);
    return undefined;
  };
}
