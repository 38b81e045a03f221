import { API_CATALOG_PATH, GATEWAY_PREFIX, PROTECTED_RESOURCE_PATH } from '../http/path-rules.ts';
import type { Faults } from '../base/configuration-faults.ts';
import { gatewayEvents } from '../control-plane/events/gateway-events.ts';
import type { ApiDocument, Operation } from '../openapi/openapi.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import { partAt, valueAt } from '../openapi/pointer.ts';
import { queryFor } from '../openapi/suggested-overlay.ts';
import { toRouterPattern, withoutParameterNames } from '../openapi/path-template.ts';

/** Adds an error if two operations share a method and path, or an id. */
export function refuseSharedOperations(documents: readonly UpstreamDocument[], faults: Faults): void {
  const claimsByPath = new Map<string, Claim<UpstreamDocument>>();
  const claimsByTemplate = new Map<string, Claim>();
  const claimsById = new Map<string, Claim>();
  const operations = documents.flatMap((document) => document.operations.map((each) => ({ ...each, document })));
  for (const { id, method, path, hasRest, source, document } of operations) {
    const name = `${method} ${path}`;
    const addFault = (what: string) => faults.add(source, name, what);
    // Compare patterns, because different templates can match the same paths. They may differ in the names of
    // parameters or in percent-encoding.
    const pattern = toRouterPattern(path, hasRest);
    if (pattern.startsWith(GATEWAY_PREFIX)) {
      addFault(`is under ${GATEWAY_PREFIX}, which is reserved for the gateway: remove it`);
      suggestRemoval(document, { method, path }, faults);
    }
    const pathClaim = claim(claimsByPath, `${method} ${pattern}`, { source, document });
    const templateClaim = claim(claimsByTemplate, name, { source, document });
    const idClaim = claim(claimsById, id, { source, document });
    if (pathClaim !== null) {
      const remedy = pathClaim.document === document ? 'remove one' : 'give one of the upstreams a prefix';
      addFault(`is defined twice (also at ${pathClaim.source}): ${remedy}`);
      if (pathClaim.document === document) suggestRemoval(document, { method, path }, faults);
    } else if (templateClaim !== null) {
      // The public document can have only one of these templates.
      addFault(
        `differs from ${templateClaim.source} only in x-multi-segment: give the parameter another name in one of them`,
      );
    } else if (idClaim !== null) {
      // An operation without an operationId has its method and path as its id.
      const remedy =
        idClaim.document === document ? 'rename one' : 'give one of the upstreams an idPrefix, such as "shop."';
      addFault(`has the operationId "${id}", which ${idClaim.source} also uses: ${remedy}`);
      suggestIdRemoval(document, { method, path }, faults);
    }
  }
}

/**
 * Suggests an overlay that removes the operation. If its path item is a reference, the overlay removes the whole path.
 */
function suggestRemoval(
  { file, value, source: { options } }: UpstreamDocument,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  faults: Faults,
): void {
  const itemSteps = toItemSteps(path, options);
  const operation = [...itemSteps, method.toLowerCase()];
  const query = queryFor(valueAt(value, operation) === undefined ? itemSteps : operation);
  if (query !== null) faults.addRemoval(file, query);
}

/** The steps to a path item in its document. @param path the path with the prefix of the upstream */
function toItemSteps(path: string, { prefix = '' }: UpstreamDocument['source']['options']): string[] {
  return ['paths', path.slice(prefix.length)];
}

/** Suggests an overlay that removes only the operationId, so that the operation gets its method and path as its id. */
function suggestIdRemoval(
  { file, value, source: { options } }: UpstreamDocument,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  faults: Faults,
): void {
  const item = toItemSteps(path, options);
  const id = [method.toLowerCase(), 'operationId'];
  // The operationId may be in a path item that several paths reference.
  const at = [item, partAt(value, item)?.path ?? item].find((each) => valueAt(value, [...each, ...id]) !== undefined);
  const query = at === undefined ? null : queryFor([...at, ...id]);
  if (query !== null) faults.addRemoval(file, query);
}

/**
 * Maximum number of partial segments in a document. It is limited because a request may be compared with each of them
 * in turn.
 */
const MAX_PARTIAL_SEGMENTS = 500;
const PARTIAL_SEGMENT = /[^/]\{|\}[^/]/;

/** Adds an error if a document has too many segments that mix a parameter with other text, such as `{name}.json`. */
export function refuseManyPartialSegments(documents: readonly ApiDocument[], faults: Faults): void {
  for (const { operations } of documents) {
    const segments = new Set<string>();
    for (const { method, path, source } of operations) {
      const before = segments.size;
      let place = '';
      for (const segment of withoutParameterNames(path).split('/').slice(1)) {
        place += `/${segment}`;
        if (PARTIAL_SEGMENT.test(segment)) segments.add(place);
      }
      if (before > MAX_PARTIAL_SEGMENTS || segments.size <= MAX_PARTIAL_SEGMENTS) continue;
      const what = `is one more than ${MAX_PARTIAL_SEGMENTS} paths with a parameter and other text in one segment, such as {name}.json`;
      faults.add(source, `${method} ${path}`, `${what}: divide such segments, or the document`);
    }
  }
}

/** A path that the gateway itself serves. */
interface OwnPath {
  readonly path: string;
  readonly what: string;
  /** How to keep the gateway from serving the operation. */
  readonly orElse: string;
}

/** With a public portal, the gateway serves the API catalog. */
export const CATALOG: OwnPath = {
  path: API_CATALOG_PATH,
  what: 'the catalog of the API',
  orElse: 'set portal.public to false',
};
/** With access tokens, the gateway names the issuers. */
export const PROTECTED_RESOURCE: OwnPath = {
  path: PROTECTED_RESOURCE_PATH,
  what: 'the issuers of access tokens',
  orElse: 'remove tokens',
};

/** Adds an error for each operation at a path that the gateway itself serves. */
export function refuseOwnPath(itemSteps: OwnPath, documents: readonly UpstreamDocument[], faults: Faults): void {
  for (const document of documents) {
    for (const { method, path, hasRest, source } of document.operations) {
      if (toRouterPattern(path, hasRest) !== itemSteps.path) continue;
      const remedy = `remove it, give the upstream a prefix, or ${itemSteps.orElse}`;
      faults.add(source, `${method} ${path}`, `is where the gateway serves ${itemSteps.what}: ${remedy}`);
      suggestRemoval(document, { method, path }, faults);
    }
  }
}

/**
 * Adds an error if no document at all has paths. A document without paths is fine next to others, for example if it has
 * only webhooks.
 */
export function refuseNoPaths(documents: readonly ApiDocument[], faults: Faults): void {
  if (documents.some(({ value }) => value['paths'] !== undefined)) return;
  for (const { file } of documents) faults.add(file, 'paths', 'is missing, and no other upstream has paths: add some');
}

/** Adds an error for each event type that another service or the gateway itself already defines. */
export function refuseSharedEventTypes(documents: readonly UpstreamDocument[], faults: Faults): void {
  const byName = new Map<string, Claim>();
  const eventTypes = documents.flatMap((document) => document.eventTypes.map((each) => ({ ...each, document })));
  for (const { name, place, document } of eventTypes) {
    const before = claim(byName, name, { source: place, document });
    if (Object.hasOwn(gatewayEvents, name))
      faults.add(place, name, "is the name of one of the gateway's own events: rename it");
    else if (before !== null)
      faults.add(place, name, `is already an event of another service, at ${before.source}: rename one`);
  }
}

/** The first use of a name, with its place in a document. */
interface Claim<Document = ApiDocument> {
  readonly source: string;
  readonly document: Document;
}

/** @returns the earlier claim of the name; null if there is none */
function claim<Document>(
  claims: Map<string, Claim<Document>>,
  what: string,
  claimant: Claim<Document>,
): Claim<Document> | null {
  const before = claims.get(what);
  if (before === undefined) claims.set(what, claimant);
  return before ?? null;
}
