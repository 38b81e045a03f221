import { Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { toPrintable } from '../base/text.ts';
import type { Operation } from './openapi.ts';
import { pathItemAt } from './path-item.ts';
import { partAt } from './pointer.ts';
import type { UpstreamDocument } from './upstream-document.ts';

/** Whether the scopes that a document requires of access tokens are enforced: the setting `upstreams[].scopes`. */
export const SCOPES_MODES = ['ignore', 'enforce'] as const;
export type ScopesMode = (typeof SCOPES_MODES)[number];

/** The scopes that an operation requires: a token must have all scopes of one alternative. Neither list is empty. */
export type RequiredScopes = readonly ReadonlySet<string>[];

/** The types of security schemes whose requirements are scopes of access tokens (OpenAPI 3.1.1, 4.8.30). */
const TOKEN_SCHEMES: readonly unknown[] = ['oauth2', 'openIdConnect'];

/** A scope (RFC 6749, 3.3). The challenge of a refusal has it in quotes. */
const SCOPE = /^[!#-[\]-~]+$/;
/** A refusal names all scopes in one header, and clients limit the length of headers. */
const MAX_SCOPES_LENGTH = 4000;

/**
 * Reads which scopes the operations of a document require. An operation that is missing in the result requires none.
 *
 * @param faults receives what cannot be enforced. A document that is in use has nothing of that
 */
export function readRequiredScopes(
  { file, value: document, operations, source: { options } }: UpstreamDocument,
  faults = new Faults(),
): ReadonlyMap<Operation, RequiredScopes> {
  // Thousands of operations may share one list.
  const known = new Map<unknown, RequiredScopes | null>();
  const found = new Map<Operation, RequiredScopes>();
  for (const operation of operations) {
    const { method, path, source } = operation;
    const item = pathItemAt(document, ['paths', path.slice((options.prefix ?? '').length)]);
    const { security = document['security'] } = (item?.[method.toLowerCase()] ?? {}) as JsonObject;
    const isShared = security === document['security'];
    let scopes = known.get(security);
    if (scopes === undefined) {
      const name = isShared ? 'security' : `${method} ${path} security`;
      scopes = readAlternatives(document, security, (what) => faults.add(isShared ? file : source, name, what));
      known.set(security, scopes);
    }
    if (scopes !== null) found.set(operation, scopes);
  }
  return found;
}

/** @returns null if nothing is required */
function readAlternatives(
  document: JsonObject,
  security: unknown,
  addFault: (what: string) => void,
): RequiredScopes | null {
  if (security === undefined) return null;
  if (!Array.isArray(security)) {
    addFault('must be a list of security requirements');
    return null;
  }
  // An empty requirement says that no credentials are needed.
  let isOptional = false;
  const alternatives: ReadonlySet<string>[] = [];
  for (const requirement of security as readonly unknown[]) {
    if (!isObject(requirement)) {
      addFault('must be a list of maps from the names of security schemes to lists of scopes');
      continue;
    }
    const schemes = Object.entries(requirement);
    const lists = schemes
      .map(([name, scopes]) => readScopes(document, name, scopes, addFault))
      .filter((scopes) => scopes !== null);
    isOptional ||= schemes.length === 0 || (lists.length > 0 && lists.every((scopes) => scopes.length === 0));
    // A requirement without such a scheme is met by other credentials, such as a key of the service. A token is none.
    if (lists.length > 0) alternatives.push(new Set(lists.flat()));
  }
  const length = alternatives.reduce((sum, scopes) => sum + [...scopes].join(' ').length, 0);
  if (length > MAX_SCOPES_LENGTH) addFault(`names scopes of more than ${MAX_SCOPES_LENGTH} characters: name fewer`);
  return isOptional || alternatives.length === 0 ? null : alternatives;
}

/** @returns null if the scheme is not about access tokens */
function readScopes(
  document: JsonObject,
  name: string,
  scopes: unknown,
  addFault: (what: string) => void,
): readonly string[] | null {
  const scheme = partAt(document, ['components', 'securitySchemes', name])?.value;
  if (scheme === undefined) {
    addFault(
      `names ${toPrintable(name)}, which components.securitySchemes does not declare: declare it, or correct it`,
    );
    return null;
  }
  if (!TOKEN_SCHEMES.includes(scheme['type'])) return null;
  if (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && SCOPE.test(scope))) return scopes;
  addFault(`must have a list of scopes for ${toPrintable(name)}: text without spaces, quotes and backslashes`);
  return [];
}
