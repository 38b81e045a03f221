import { ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import { type ListedOperation, listedOperation } from './listed-operation.ts';
import { tagTitle } from './tag-title.ts';

/** The operations of a service that have the same tag. */
export interface OperationGroup {
  /** The name of the tag, which is unique in the service. */
  readonly name: string;
  /** The title of the tag, as shown on the page. */
  readonly title: string;
  readonly description: string | null;
  readonly operations: readonly ListedOperation[];
}

/** A service behind the gateway, or the gateway itself. */
export interface Service {
  /** The name of the service's upstream, which is unique. */
  readonly name: string;
  readonly title: string;
  readonly version: string | null;
  readonly description: string | null;
  /** The groups of operations, in the order of the document. */
  readonly groups: readonly OperationGroup[];
}

/** The operations of an API, grouped by service and tag. */
export interface Reference {
  /** The services in the order of the document. The gateway itself comes last. */
  readonly services: readonly Service[];
  /** All operations, in the order of the page. */
  readonly operations: readonly ListedOperation[];
}

/** The service and the group of an operation, and the operations before and after it. */
export interface Position {
  readonly operation: ListedOperation;
  readonly service: Service;
  readonly group: OperationGroup;
  readonly previous: ListedOperation | undefined;
  readonly next: ListedOperation | undefined;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The title of the group of operations without a tag, which comes last. */
const UNTAGGED = 'Other';

const GATEWAY_PREFIX = '/_gateway/';
/** The name of the gateway in place of a service. No upstream can have such a name. */
const GATEWAY = '_gateway';
const GATEWAY_INTRODUCTION =
  'Endpoints of the gateway in front of the API: what you used, why a request was refused, and this document.';

const known = new WeakMap<JsonObject, Reference>();

/**
 * Reads the list of operations.
 *
 * @param value the list from the gateway, which is an OpenAPI document without details
 */
export function readReference(value: JsonObject): Reference {
  const before = known.get(value);
  if (before !== undefined) return before;
  const document = new ApiDocument(value);
  const services = readServices(document);
  const reference = {
    services,
    operations: services.flatMap(({ groups }) => groups.flatMap(({ operations }) => operations)),
  };
  known.set(value, reference);
  return reference;
}

export function operationsOf({ operations }: Reference): readonly ListedOperation[] {
  return operations;
}

/** Finds the service and group of an operation. Undefined if there is no operation with that id. */
export function findPosition({ services, operations }: Reference, id: string): Position | undefined {
  const index = operations.findIndex((each) => each.id === id);
  const operation = operations[index];
  if (operation === undefined) return undefined;
  for (const service of services) {
    const group = service.groups.find((each) => each.operations.includes(operation));
    if (group !== undefined) {
      return { operation, service, group, previous: operations[index - 1], next: operations[index + 1] };
    }
  }
  return undefined;
}

interface Introduction extends Omit<Service, 'groups'> {
  readonly tags: readonly JsonObject[];
}

function readServices(document: ApiDocument): readonly Service[] {
  const byService = new Map<string, ListedOperation[]>();
  for (const [path, node] of Object.entries(asObject(document.value['paths']))) {
    const item = document.resolve(node);
    for (const method of Object.keys(item).filter((key) => METHODS.has(key))) {
      const service = asText(asObject(item[method])['x-tollgate-service']) ?? '';
      const name = path.startsWith(GATEWAY_PREFIX) ? GATEWAY : service;
      const operations = byService.get(name) ?? [];
      operations.push(listedOperation(document, method, path, item));
      byService.set(name, operations);
    }
  }
  return readIntroductions(document.value)
    .map(({ tags, ...service }) => ({ ...service, groups: grouped(byService.get(service.name) ?? [], tags) }))
    .filter(({ groups }) => groups.length > 0);
}

/**
 * Reads the titles and descriptions of the services. The document of a single service lists none, because the document
 * as a whole describes it.
 */
function readIntroductions(value: JsonObject): readonly Introduction[] {
  const tags = asList(value['tags']).map(asObject);
  const gateway = { name: GATEWAY, title: 'Gateway', version: null, description: GATEWAY_INTRODUCTION, tags };
  const listed = asList(value['x-tollgate-services']).map(asObject);
  return [
    ...listed.map((each) => readIntroduction(asText(each['name']) ?? '', each, asList(each['tags']).map(asObject))),
    // This introduction is for operations that belong to no listed service.
    readIntroduction('', asObject(value['info']), tags),
    gateway,
  ];
}

function readIntroduction(name: string, raw: JsonObject, tags: readonly JsonObject[]): Introduction {
  return {
    name,
    title: asText(raw['title']) ?? (name === '' ? 'API' : name),
    version: asText(raw['version']),
    description: asText(raw['description']) ?? asText(raw['summary']),
    tags,
  };
}

function grouped(operations: readonly ListedOperation[], tags: readonly JsonObject[]): readonly OperationGroup[] {
  const described = new Map(tags.map((tag) => [asText(tag['name']) ?? '', tag]));
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const used = [...byTag.keys()].filter((tag) => tag !== null);
  const names = [...new Set([...described.keys(), ...used])].filter((name) => byTag.has(name));
  const groups = names.map((name) => ({
    name,
    title: asText(described.get(name)?.['x-displayName']) ?? tagTitle(name),
    description: asText(described.get(name)?.['description']),
    operations: byTag.get(name) ?? [],
  }));
  const untagged = byTag.get(null);
  if (untagged === undefined) return groups;
  return [...groups, { name: UNTAGGED, title: UNTAGGED, description: null, operations: untagged }];
}
