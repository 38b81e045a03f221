import type { RequiredScopes } from '../../openapi/required-scopes.ts';
import type { Exchange, Refusal } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';
import type { ResourceMetadata } from './protected-resource.ts';

/**
 * Refuses callers whose access token lacks the scopes that the operation requires. If a key was sent with the token, the
 * key is the caller's, and scopes do not matter.
 */
export function createTokenScopesStep(metadata: ResourceMetadata): ServeStep {
  return function tokenScopes(exchange, credential) {
    const { match, token } = exchange;
    if (token === null || match.kind !== 'operation' || credential?.kind !== 'token') return undefined;
    const { requiredScopes } = match.route;
    if (requiredScopes === null || hasScopes(token.scopes, requiredScopes)) return undefined;
    return refuse(exchange, requiredScopes);
  };

  /** The challenge has the scopes of the first alternative, because it can have only one list (RFC 6750, 3). */
  function refuse(exchange: Exchange, requiredScopes: RequiredScopes): Refusal {
    const [first = '', ...others] = requiredScopes.map((scopes) => [...scopes].join(' '));
    const challenge = `Bearer error="insufficient_scope", scope="${first}"${metadata.parameter(exchange)}`;
    const message = `must have ${[first, ...others].map((scopes) => `"${scopes}"`).join(' or ')}`;
    return {
      code: 'insufficient_scope',
      details: [{ path: '/scope', message }],
      headers: ['WWW-Authenticate', challenge],
    };
  }
}

function hasScopes(scopes: ReadonlySet<string>, required: RequiredScopes): boolean {
  for (const alternative of required) if (alternative.isSubsetOf(scopes)) return true;
  return false;
}
