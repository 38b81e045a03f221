import { isObject, type JsonObject } from '../base/json.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { joinedParameters, listAt } from './path-item.ts';

/**
 * The name of the service of a path. If several services share the path, each of its operations has this field instead.
 */
export const SERVICE = 'x-tollgate-service';

/** The path item of one service for a path that other services may have as well. */
export interface OwnPathItem {
  readonly service: string;
  readonly item: JsonObject;
  /** The service's document, in which references to parameters are resolved. */
  readonly document: JsonObject;
}

/**
 * Merges the path items that several services have for one path, each with different methods. Anything that a path item
 * says about all of its operations moves into each operation.
 */
export function mergedPathItem(items: readonly OwnPathItem[]): JsonObject {
  return Object.fromEntries(items.flatMap(listOperations));
}

function listOperations({ service, item, document }: OwnPathItem): (readonly [string, JsonObject])[] {
  const shared = listAt(item, 'parameters');
  return Object.entries(item).flatMap(([key, operation]) => {
    if (!OPERATION_KEYS.has(key) || !isObject(operation)) return [];
    const parameters = joinedParameters(document, listAt(operation, 'parameters'), shared);
    return [[key, { ...operation, ...(parameters.length === 0 ? {} : { parameters }), [SERVICE]: service }]];
  });
}
