import { isObject, type JsonObject } from '../base/json.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { joinedParameters, listAt } from './path-item.ts';

/** The field of a path, or of an operation on a path of several services, with the name of its service. */
export const SERVICE = 'x-tollgate-service';

/** The path item of one service for a path that other services may have as well. */
export interface OwnPathItem {
  readonly service: string;
  readonly item: JsonObject;
  /** The service's document, in which its parameters are found. */
  readonly document: JsonObject;
}

/**
 * One path item of what several services have on a path, each with methods of its own. What a path item says of all of
 * its operations moves into each of them.
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
