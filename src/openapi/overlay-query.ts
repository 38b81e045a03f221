import { createRequire } from 'node:module';
import type * as JsonPath from 'json-p3';
import { runWithin, TookTooLong } from '../base/run-within.ts';

/** Steps from the root of a document: names and indexes. */
export type Steps = readonly (string | number)[];

const require = createRequire(import.meta.url);

/** Time limit of a query in ms. Queries of real overlays take a few ms. */
const QUERY_TIMEOUT_MS = 2000;
const MAX_LENGTH = 2000;
const MAX_MATCHES = 100_000;
/** Maximum depth of a query's search. Documents have fewer levels. */
const MAX_DEPTH = 250;

let environment: JsonPath.JSONPathEnvironment | undefined;

/** Loaded only with the first overlay, because most configurations have none. */
function loadEnvironment(): JsonPath.JSONPathEnvironment {
  if (environment !== undefined) return environment;
  const { JSONPathEnvironment } = require('json-p3') as typeof JsonPath;
  environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH });
  return environment;
}

/** Thrown if a query cannot be used. The message is the end of a sentence. */
export class QueryFault extends Error {}

/** @throws QueryFault if a text is no JSONPath query (RFC 9535) */
export function compileQuery(text: string): JsonPath.JSONPathQuery {
  if (text.length > MAX_LENGTH) throw new QueryFault(`must have at most ${MAX_LENGTH} characters`);
  try {
    return loadEnvironment().compile(text);
  } catch (error) {
    throw new QueryFault(`is not a JSONPath query of RFC 9535: ${(error as Error).message}`);
  }
}

/**
 * Finds the places that a query selects, each only once. Filters, descendants and regular expressions can be combined into
 * a query that never ends, so the time is limited.
 *
 * @throws QueryFault
 */
export function findPlaces(query: JsonPath.JSONPathQuery, document: unknown): readonly Steps[] {
  const find = () => {
    const found = new Map<string, Steps>();
    let count = 0;
    for (const { location } of query.lazyQuery(document as JsonPath.JSONValue)) {
      if (++count > MAX_MATCHES) return null;
      found.set(JSON.stringify(location), location);
    }
    return [...found.values()];
  };
  let places: readonly Steps[] | null;
  try {
    places = runWithin(QUERY_TIMEOUT_MS, find);
  } catch (error) {
    const isSlow = error instanceof TookTooLong;
    const why = isSlow ? `takes longer than ${QUERY_TIMEOUT_MS / 1000} s` : `cannot be evaluated (${String(error)})`;
    throw new QueryFault(`${why}: make it more specific`);
  }
  if (places === null) throw new QueryFault(`selects more than ${MAX_MATCHES} places: make it more specific`);
  return places;
}
