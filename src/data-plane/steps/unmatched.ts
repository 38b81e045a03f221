import type { Step } from '../exchange.ts';
import { BODY_TOO_LARGE, declaresTooMuch } from '../forwarding/body-limit.ts';

/**
 * Refuses requests that no operation takes, now that they are authenticated and counted: a stranger cannot map the API
 * by its 404s, and a client in a loop does not escape its limits.
 */
export function createUnmatched(): Step {
  return function unmatched({ match, req }) {
    if (match.kind === 'no_path') return { code: 'route_not_found' };
    if (match.kind === 'no_method') return { code: 'method_not_allowed', headers: ['Allow', match.allow] };
    if (declaresTooMuch(req, match.route.maxBodyBytes)) return BODY_TOO_LARGE;
    return undefined;
  };
}
