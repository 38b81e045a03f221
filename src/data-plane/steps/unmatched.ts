import type { ServeStep } from '../exchange/run-steps.ts';

/**
 * Refuses requests that no operation accepts. Strangers must not be able to map the API by its 404s, and a client in a
 * loop must not escape its limits. So they are refused only here, after authentication and counting.
 */
export function createUnmatched(): ServeStep {
  return function unmatched({ match }) {
    if (match.kind === 'no_path') return { code: 'route_not_found' };
    if (match.kind === 'no_method') return { code: 'method_not_allowed', headers: ['Allow', match.allow] };
    return undefined;
  };
}
