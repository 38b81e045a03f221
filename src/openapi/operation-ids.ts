import { isObject, type JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { OPERATION_KEYS } from './openapi.ts';

const METHOD_KEYS: ReadonlySet<string> = new Set([...OPERATION_KEYS, 'trace']);

/**
 * The document with a prefix in front of every operation id: of operations (also in callbacks and webhooks), and where
 * links name them. Only in these places: an example may have a field `operationId` too.
 */
export async function withIdPrefix(document: JsonObject, idPrefix: string): Promise<JsonObject> {
  if (idPrefix === '') return document;

  const prefixed = (part: JsonObject): JsonObject =>
    typeof part['operationId'] === 'string' ? { ...part, operationId: idPrefix + part['operationId'] } : part;
  const inResponse = (response: JsonObject) => inFields(response, { links: (links) => inEntries(links, prefixed) });
  const inOperation = (operation: JsonObject): JsonObject =>
    inFields(prefixed(operation), {
      responses: (responses) => inEntries(responses, inResponse),
      callbacks: (callbacks) => inEntries(callbacks, inPathItems),
    });
  const inPathItem = (item: JsonObject) =>
    inEntries(item, (part, key) => (METHOD_KEYS.has(key) ? inOperation(part) : part));
  const inPathItems = (items: JsonObject) => inEntries(items, inPathItem);

  const { paths } = document;
  const prefixedPaths: [string, unknown][] = [];
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
    prefixedPaths.push([path, isObject(item) ? inPathItem(item) : item]);
    await pauseIfDue();
  }
  return inFields(document, {
    paths: () => Object.fromEntries(prefixedPaths),
    webhooks: inPathItems,
    'x-webhooks': inPathItems,
    components: (components) =>
      inFields(components, {
        responses: (responses) => inEntries(responses, inResponse),
        links: (links) => inEntries(links, prefixed),
        callbacks: (callbacks) => inEntries(callbacks, inPathItems),
        pathItems: inPathItems,
      }),
  });
}

/** A copy in which the named fields are changed, if they are objects. */
function inFields(value: JsonObject, changes: Readonly<Record<string, (field: JsonObject) => JsonObject>>): JsonObject {
  const changed = Object.entries(changes).flatMap(([name, change]) => {
    const field = value[name];
    return isObject(field) ? [[name, change(field)]] : [];
  });
  return { ...value, ...Object.fromEntries(changed) };
}

/** A copy in which every entry that is an object is changed. */
function inEntries(value: JsonObject, change: (entry: JsonObject, key: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, isObject(entry) ? change(entry, key) : entry]),
  );
}
