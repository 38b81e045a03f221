import type { IncomingMessage } from 'node:http';
import findMyWay from 'find-my-way';
import { readJsonBody } from './body.ts';
import { readOperations, type DocumentOperation, type OpenApiDocument, type Schema } from './document.ts';
import { ApiError, PetStoreStartError } from './errors.ts';
import type { Call, Operations, Reply } from './operation.ts';
import { createPathReader, createQueryReader, type PathReader, type QueryReader } from './parameters.ts';
import { compile, collectDefaults } from './validation.ts';

/** An operation of the document, with the compiled readers and the handler of its requests. */
export interface Route {
  run: (call: Call<unknown>) => Reply;
  readPath: PathReader;
  readQuery: QueryReader;
  /** Reads and validates the body; undefined if the operation has none. */
  readBody: ((req: IncomingMessage) => Promise<unknown>) | undefined;
}

interface Match {
  route: Route;
  params: Readonly<Record<string, string | undefined>>;
}

/** Finds the route of a request. Throws ApiError: `route_not_found`, or `method_not_allowed` with `Allow`. */
export type Router = (method: string, url: string) => Match;

/** Builds the routes of the document. Each operation must have a handler, and each handler must have an operation. */
export function buildRouter(document: OpenApiDocument, operations: Operations): Router {
  const documentedOperations = readOperations(document);
  checkSameOperations(documentedOperations, operations);
  const finders = new Map<string, Finder>();
  for (const operation of documentedOperations) {
    const finder = finders.get(operation.method) ?? createFinder();
    finders.set(operation.method, finder);
    finder.on('GET', compilePattern(operation.path), ignoreMatch, compileRoute(operation, operations));
  }
  const get = finders.get('GET');
  if (get) finders.set('HEAD', get);
  return (method, url) => {
    const match = finders.get(method)?.find('GET', url);
    if (match) return { route: match.store, params: match.params };
    throw createNotFound([...finders.keys()].filter((candidate) => finders.get(candidate)?.find('GET', url)));
  };
}

/** Finds routes by path only, because each method has its own finder. */
type Finder = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

function createFinder(): Finder {
  // The limit is longer than any URL that Node's parser accepts. So the response to an overlong id is that the id is
  // invalid, and not that the path is unknown.
  return findMyWay({ maxParamLength: 65_536 });
}

function ignoreMatch(): void {}

function compileRoute(operation: DocumentOperation, operations: Operations): Route {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the call was validated against the document
    run: operations[operation.operationId]! as Route['run'],
    readPath: createPathReader(operation.parameters),
    readQuery: createQueryReader(operation.parameters),
    readBody: operation.body && createBodyReader(operation.body),
  };
}

function createBodyReader(schema: Schema): (req: IncomingMessage) => Promise<unknown> {
  const validate = compile(schema);
  const defaults = collectDefaults(schema.properties ?? {});
  return async (req) => {
    const body = await readJsonBody(req);
    const details = validate(body, '');
    if (details) throw new ApiError('validation_failed', undefined, { details });
    return { ...defaults, ...Object(body) };
  };
}

function createNotFound(allowed: readonly string[]): ApiError {
  if (allowed.length === 0) return new ApiError('route_not_found');
  return new ApiError('method_not_allowed', undefined, { headers: { Allow: allowed.toSorted().join(', ') } });
}

/** Turns OpenAPI's `{petId}` into find-my-way's `:petId`. */
function compilePattern(path: string): string {
  if (/[:*]/.test(path)) throw new PetStoreStartError(`OpenAPI document: the path ${path} has a : or * in it`);
  return path.replaceAll(/\{([^{}]+)\}/g, ':$1');
}

function checkSameOperations(documentedOperations: readonly DocumentOperation[], operations: Operations): void {
  const ids = documentedOperations.map((operation) => operation.operationId);
  const missing = ids.filter((id) => !Object.hasOwn(operations, id));
  const extra = Object.keys(operations).filter((id) => !ids.includes(id));
  if (missing.length > 0) throw new PetStoreStartError(`OpenAPI document: nothing serves ${missing.join(', ')}`);
  if (extra.length > 0) throw new PetStoreStartError(`OpenAPI document: ${extra.join(', ')} missing`);
}
