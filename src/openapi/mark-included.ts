import { isObject, type JsonObject } from '../base/json.ts';
import { objectAt } from './components.ts';
import type { Operation } from './openapi.ts';
import { isIncluded } from './operation-selectors.ts';

type Shown = Pick<Operation, 'id' | 'method' | 'path' | 'tags' | 'public'>;

/**
 * A public document as one caller sees it. Operations that the caller's plan or key does not include have
 * `x-tollgate-included: false`, and `x-tollgate-plans` with the names of the plans that include them.
 *
 * @param selectors of the caller's plan and key
 */
export async function markIncluded(
  document: JsonObject,
  operations: readonly Shown[],
  selectors: readonly (readonly string[] | null)[],
  plansIncluding: (operation: Shown) => Promise<readonly string[]>,
): Promise<JsonObject> {
  const missing = operations.filter((operation) => !isIncluded(selectors, operation));
  if (missing.length === 0) return document;
  const paths: Record<string, unknown> = { ...objectAt(document, 'paths') };
  for (const operation of missing) {
    const item = paths[operation.path];
    const method = operation.method.toLowerCase();
    if (!isObject(item) || !isObject(item[method])) continue;
    const plans = await plansIncluding(operation);
    const marks = { 'x-tollgate-included': false, 'x-tollgate-plans': plans };
    paths[operation.path] = { ...item, [method]: { ...item[method], ...marks } };
  }
  return { ...document, paths };
}
