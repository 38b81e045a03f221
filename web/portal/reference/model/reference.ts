import { ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import { type Operation, readOperation } from './operation.ts';

export interface OperationGroup {
  readonly name: string;
  readonly description: string | null;
  readonly operations: readonly Operation[];
}

/** An API for display: its operations by tag, in the order of the document. */
export interface Reference {
  readonly document: ApiDocument;
  readonly title: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly groups: readonly OperationGroup[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Of operations without a tag, which come last. */
const UNTAGGED = 'Other';

/** @param value an OpenAPI document of version 3.0 or 3.1 */
export function readReference(value: JsonObject): Reference {
  const document = new ApiDocument(value);
  const info = asObject(value['info']);
  const operations = Object.entries(asObject(value['paths'])).flatMap(([path, node]) => {
    const item = document.resolve(node);
    const methods = Object.keys(item).filter((key) => METHODS.includes(key));
    return methods.map((method) => readOperation(document, method, path, item));
  });
  return {
    document,
    title: asText(info['title']) ?? 'API',
    version: asText(info['version']),
    description: asText(info['description']) ?? asText(info['summary']),
    groups: grouped(operations, asList(value['tags']).map(asObject)),
  };
}

export function operationsOf({ groups }: Reference): readonly Operation[] {
  return groups.flatMap(({ operations }) => operations);
}

function grouped(operations: readonly Operation[], tags: readonly JsonObject[]): readonly OperationGroup[] {
  const described = new Map(tags.map((tag) => [asText(tag['name']) ?? '', asText(tag['description'])]));
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const used = [...byTag.keys()].filter((tag) => tag !== null);
  const names = [...new Set([...described.keys(), ...used])].filter((name) => byTag.has(name));
  const groups = names.map((name) => ({
    name,
    description: described.get(name) ?? null,
    operations: byTag.get(name) ?? [],
  }));
  const untagged = byTag.get(null);
  return untagged === undefined ? groups : [...groups, { name: UNTAGGED, description: null, operations: untagged }];
}
