import { isObject, type JsonObject } from '../../base/json.ts';

/** The tags of several documents, with their descriptions; of those that share a name, the first. */
export function tagsOf(documents: readonly JsonObject[]): JsonObject[] {
  const byName = new Map<unknown, JsonObject>();
  for (const { tags } of documents) {
    for (const tag of Array.isArray(tags) ? (tags as unknown[]) : []) {
      if (isObject(tag) && !byName.has(tag['name'])) byName.set(tag['name'], tag);
    }
  }
  return [...byName.values()];
}
