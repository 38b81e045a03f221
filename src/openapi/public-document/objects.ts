import { isObject, type JsonObject } from '../../base/json.ts';

/** Empty if there is none. */
export function objectAt(value: unknown, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}
