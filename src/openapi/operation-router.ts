import findMyWay, { type HTTPMethod } from 'find-my-way';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { METHODS, type Operation } from './openapi.ts';
import { fromRouterValue, listParameters, toRouterPath, toRouterPattern } from './path-template.ts';

/** The result of matching a method and path. `route` is the object that was passed in for the operation. */
export type Match<Route> =
  | { readonly kind: 'operation'; readonly route: Route; readonly values: readonly string[] }
  | { readonly kind: 'no_path' }
  | { readonly kind: 'no_method'; readonly allow: string };

interface Routed {
  readonly operation: Pick<Operation, 'method' | 'path'> & Partial<Pick<Operation, 'hasRest'>>;
}

type MatchRoute<Route> = (method: string, path: string) => Match<Route>;

const NO_PATH = Object.freeze({ kind: 'no_path' });
const ROUTER_OPTIONS = { caseSensitive: true, maxParamLength: 1_000_000 };
const EMPTY_SEGMENT = /\/(?:\/|$)/;

/**
 * Matches by OpenAPI's rules. Segments are compared from the left: a literal segment takes precedence over a parameter,
 * and a parameter over a rest. Spelling is exact. A `HEAD` request that no document describes is served by the `GET`
 * operation.
 *
 * @param routes must not be changed later
 * @returns a function of a method and a normalized path without query
 */
export function createRouter<Route extends Routed>(routes: readonly Route[]): MatchRoute<Route> {
  const prepared = routers.get(routes);
  // This router was built from this very list, so its routes have this type.
  if (prepared !== undefined) return prepared as MatchRoute<Route>;
  const { add, match } = startRouter();
  for (const route of routes) add(route);
  return match as MatchRoute<Route>;
}

/**
 * Routers by the list that they were built from. Building one for thousands of routes takes long, and several parts of
 * a gateway need the same router.
 */
const routers = new WeakMap<readonly Routed[], MatchRoute<Routed>>();

/** Builds the router of many routes in advance, with pauses for other work. */
export async function prepareRouter(routes: readonly Routed[]): Promise<void> {
  if (routers.has(routes)) return;
  const { add, match } = startRouter();
  for (const route of routes) {
    add(route);
    await pauseIfDue();
  }
  routers.set(routes, match);
}

interface Found {
  readonly route: Routed;
  readonly values: readonly string[];
}

function startRouter() {
  const ofAll = findMyWay(ROUTER_OPTIONS);
  /** Templates such as `/pets/`, and templates with a rest. Only these can match a path that ends with a slash. */
  const endingWithSlash = findMyWay(ROUTER_OPTIONS);
  function add(route: Routed): void {
    const { method, path, hasRest = false } = route.operation;
    const pattern = toRouterPattern(path, hasRest);
    ofAll.on(method as HTTPMethod, pattern, nothing, route);
    if (!hasRest && !EMPTY_SEGMENT.test(pattern)) return;
    // A rest must not be empty. In a path that ends with a slash, it therefore needs a segment before that slash.
    const withSlash = hasRest ? pattern.replace(/\*$/, ':first/*') : pattern;
    endingWithSlash.on(method as HTTPMethod, withSlash, nothing, route);
  }

  /** Finds an operation whose parameters are not empty: `/pets/` is not `/pets/{petId}`. */
  const findExactly = (method: string, path: string): Found | null => {
    const found = ofAll.find(method as HTTPMethod, path);
    if (found === null) return null;
    const values = Object.values(found.params) as string[];
    return values.includes('') ? findWithSlash(method, path) : { route: found.store as Routed, values };
  };
  const findWithSlash = (method: string, path: string): Found | null => {
    const found = endingWithSlash.find(method as HTTPMethod, path);
    if (found === null) return null;
    const route = found.store as Routed;
    const values = Object.values(found.params) as string[];
    if (values.slice(0, route.operation.hasRest === true ? -1 : undefined).includes('')) return null;
    if (route.operation.hasRest !== true) return { route, values };
    const others = values.pop() ?? '';
    return { route, values: [...values.slice(0, -1), `${values.at(-1)}/${others}`] };
  };
  const find = (method: string, path: string) =>
    findExactly(method, path) ?? (method === 'HEAD' ? findExactly('GET', path) : null);

  const match: MatchRoute<Routed> = (method, path) => {
    const routerPath = toRouterPath(path);
    const found = find(method, routerPath);
    if (found !== null) return { kind: 'operation', route: found.route, values: found.values };
    const allow = METHODS.filter((other) => find(other, routerPath) !== null);
    return allow.length === 0 ? NO_PATH : { kind: 'no_method', allow: allow.join(', ') };
  };
  return { add, match };
}

/** Replaces each `%2F` in the rest of a matched path with a slash. */
export function decodeSlashesInRest(path: string, { route, values }: Found): string {
  if (route.operation.hasRest !== true) return path;
  const restAt = path.length - (values.at(-1) ?? '').length;
  return path.slice(0, restAt) + path.slice(restAt).replaceAll('%2F', '/');
}

/** Decodes the values of a path's parameters, by name. */
export function parametersByName(operation: Operation, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    listParameters(operation.path).map((name, index) => [name, fromRouterValue(values[index] ?? '')]),
  );
}

function nothing(): void {
  // The router requires a handler; ours is in the route's store.
}
