import { isObject, type JsonObject } from '../base/json.ts';
import { dereferenced, partAt, parseSteps, valueAt } from './pointer.ts';

/**
 * Finds the path item at a path of a document. If it has a `$ref` and fields of its own, both are merged, and its own
 * fields take precedence. Null if there is no path item, or the reference leads to nothing.
 */
export function pathItemAt(document: unknown, path: readonly string[]): JsonObject | null {
  const first = valueAt(document, path);
  if (isObject(first) && typeof first['$ref'] !== 'string') return first;
  if (partAt(document, path) === null) return null;
  let joined: JsonObject | null = null;
  for (let at: readonly string[] | null = path; at !== null;) {
    const item = valueAt(document, at) as JsonObject;
    const { $ref, ...own } = item;
    const isReference = typeof $ref === 'string';
    joined = joined === null ? (isReference ? own : item) : joinedItem(document, joined, own);
    at = isReference ? parseSteps($ref) : null;
  }
  return joined;
}

function joinedItem(document: unknown, own: JsonObject, base: JsonObject): JsonObject {
  const parameters = joinedParameters(document, listAt(own, 'parameters'), listAt(base, 'parameters'));
  return { ...base, ...own, ...(parameters.length === 0 ? {} : { parameters }) };
}

/** Lists the shared parameters that are not overridden, followed by the operation's own parameters. */
export function joinedParameters(document: unknown, own: readonly unknown[], shared: readonly unknown[]): unknown[] {
  if (shared.length === 0) return [...own];
  const overridden = new Set(own.map((one) => parameterIdentity(document, one)));
  return [...shared.filter((one) => !overridden.has(parameterIdentity(document, one))), ...own];
}

/** Formats the identity of a parameter: its name and location (OpenAPI 3.1.1, 4.8.12). */
function parameterIdentity(document: unknown, parameter: unknown): string {
  const { name, in: place } = dereferenced(document, parameter) ?? {};
  return JSON.stringify([name, place]);
}

export function listAt(object: JsonObject, key: string): readonly unknown[] {
  const list = object[key];
  return Array.isArray(list) ? list : [];
}

/** Whether a path item has a `$ref`, and operations or parameters as well. */
export function isReferenceWithMore(item: unknown, operations: ReadonlySet<string>): boolean {
  if (!isObject(item) || typeof item['$ref'] !== 'string') return false;
  return Object.keys(item).some((key) => key === 'parameters' || operations.has(key));
}
