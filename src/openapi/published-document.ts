import { escapePointerStep, isObject, type JsonObject } from '../base/json.ts';
import { type ComponentNames, parseComponentReference } from './components.ts';
import { schemaConversion } from './schema-conversion.ts';
import { type AddPart, type NodeChange, type NodeKind, withNodesChanged } from './document-nodes.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { parseSteps, valueAt } from './pointer.ts';

/** How the document of a service is published. */
interface Publication {
  /** The name of the service. */
  readonly name: string;
  /** Prefix of every path. */
  readonly prefix?: string | undefined;
  /** Prefix of every operation id. */
  readonly idPrefix?: string | undefined;
  /** Whether a part of the document stays at its place, given the steps to it. */
  readonly staysAt: (steps: readonly string[]) => boolean;
  /** The names of components that are taken. A part that becomes a component gets another name. */
  readonly names: ComponentNames;
  /** Whether the name of a component is prefixed with the name of the service. */
  readonly isRenamed: (kind: string, name: string) => boolean;
}

/** The kind of component that a part from another place becomes, by the kind of its node. */
const COMPONENTS: Readonly<Partial<Record<NodeKind, string>>> = {
  callback: 'callbacks',
  example: 'examples',
  header: 'headers',
  link: 'links',
  parameter: 'parameters',
  pathItem: 'pathItems',
  requestBody: 'requestBodies',
  response: 'responses',
  schema: 'schemas',
};

/** A reference to a whole component. A conversion does not move whole components. */
const WHOLE_COMPONENT = /^#\/components\/[^/]+\/[^/]+$/;

/**
 * The document of a service as it is published: with OpenAPI 3.1 schemas, prefixes, and references to the published
 * places. Parts that do not stay at their place become components. Members of path items that OpenAPI 3.1 does not
 * define are removed.
 */
export async function publishedDocument(document: JsonObject, publication: Publication): Promise<JsonObject> {
  const { name: service, prefix = '', idPrefix = '', staysAt, names, isRenamed } = publication;
  const conversion = schemaConversion(document);
  const encodedPrefix = escapePointerStep(prefix).replaceAll('%', '%25');
  const moved: Record<string, Record<string, unknown>> = {};
  const movedNames = new Map<string, string>();
  const publishedName = (kind: string, name: string) => (isRenamed(kind, name) ? `${service}.${name}` : name);

  function publishedReference(reference: string, kind: NodeKind, add: AddPart): string {
    if (!reference.startsWith('#/')) return reference;
    if (WHOLE_COMPONENT.test(reference)) return withPublishedName(reference);
    const steps = parseSteps(reference);
    const component = COMPONENTS[kind];
    const value = component === undefined || staysAt(steps) ? undefined : valueAt(document, steps);
    if (component === undefined || value === undefined) return samePlace(reference);
    const key = JSON.stringify([component, steps]);
    let name = movedNames.get(key);
    if (name === undefined) {
      const entries = (moved[component] ??= {});
      name = publishedName(component, names.takeFree(component, wordsIn(steps)));
      movedNames.set(key, name);
      entries[name] = value;
      add(entries, name, kind);
    }
    return `#/components/${component}/${name}`;
  }

  function samePlace(reference: string): string {
    const now = conversion?.movedReference(reference) ?? reference;
    return withPrefix(withPublishedName(now));
  }

  function withPrefix(reference: string): string {
    if (!reference.startsWith('#/paths/')) return reference;
    return `#/paths/${encodedPrefix}${reference.slice('#/paths/'.length)}`;
  }

  function withPublishedName(reference: string): string {
    const target = parseComponentReference(reference);
    if (target === null || !isRenamed(target.kind, target.name)) return reference;
    const start = `#/components/${target.kind}/`;
    return `${start}${service}.${reference.slice(start.length)}`;
  }

  const publish: NodeChange = (node, kind, add) => {
    if (kind === 'document') return withPrefixedPaths(node, prefix);
    if (kind === 'components') return withPublishedNames(node, publishedName);
    const item = kind === 'pathItem' ? withoutUnknownMembers(node) : node;
    const { $ref, operationRef } = item;
    if (typeof $ref === 'string') return withField(item, '$ref', publishedReference($ref, kind, add));
    if (kind === 'link' && typeof operationRef === 'string') {
      return withField(item, 'operationRef', withPrefix(operationRef));
    }
    if (kind !== 'schema') return item;
    return withPublishedMapping(item, (target) =>
      target.includes('/') ? publishedReference(target, 'schema', add) : publishedName('schemas', target),
    );
  };

  const changes = [publish];
  if (conversion !== null) changes.push(conversion.change);
  if (idPrefix !== '') changes.push(prefixOperationIds(idPrefix));
  const published = await withNodesChanged(document, changes);
  return Object.keys(moved).length === 0 ? published : withComponents(published, moved);
}

function withField(node: JsonObject, field: string, value: string): JsonObject {
  return node[field] === value ? node : { ...node, [field]: value };
}

function withPrefixedPaths(document: JsonObject, prefix: string): JsonObject {
  const { paths } = document;
  if (prefix === '' || !isObject(paths)) return document;
  const prefixed = Object.entries(paths).map(([path, item]) => [path.startsWith('/') ? prefix + path : path, item]);
  return { ...document, paths: Object.fromEntries(prefixed) as JsonObject };
}

function withPublishedNames(components: JsonObject, publishedName: (kind: string, name: string) => string): JsonObject {
  const kinds = Object.entries(components).map(([kind, entries]): [string, unknown] => {
    if (!isObject(entries)) return [kind, entries];
    return [kind, Object.fromEntries(Object.entries(entries).map(([name, one]) => [publishedName(kind, name), one]))];
  });
  return Object.fromEntries(kinds);
}

/** A discriminator may give just the name of a schema, without the rest of the reference. */
function withPublishedMapping(schema: JsonObject, published: (target: string) => string): JsonObject {
  const { discriminator } = schema;
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return schema;
  const targets = Object.entries(discriminator['mapping']);
  const mapping = Object.fromEntries(
    targets.map(([value, target]) => [value, typeof target === 'string' ? published(target) : target]),
  );
  return { ...schema, discriminator: { ...discriminator, mapping } };
}

/**
 * Adds a prefix to every operation id: those of operations (also in callbacks and webhooks), and those in links. Other
 * fields stay unchanged, because an example may have a field `operationId` too.
 */
function prefixOperationIds(idPrefix: string): NodeChange {
  return (node, kind) => {
    if (kind !== 'operation' && kind !== 'link') return node;
    const { operationId } = node;
    return typeof operationId === 'string' ? { ...node, operationId: idPrefix + operationId } : node;
  };
}

const MAX_NAME = 100;

/** Formats the steps to a part, with only the characters that component names may contain. */
function wordsIn(steps: readonly string[]): string {
  const words = steps.slice(1).flatMap((step) => step.match(/[A-Za-z0-9]+/g) ?? []);
  return words.join('_').slice(-MAX_NAME) || 'part';
}

function withComponents(document: JsonObject, added: Readonly<Record<string, JsonObject>>): JsonObject {
  const components = { ...(isObject(document['components']) ? document['components'] : {}) };
  for (const [kind, entries] of Object.entries(added)) {
    components[kind] = { ...(components[kind] as JsonObject | undefined), ...entries };
  }
  return { ...document, components };
}

/** The fields of a path item (OpenAPI 3.1.1, 4.8.9). */
const MEMBERS = new Set([...OPERATION_KEYS, 'trace', '$ref', 'summary', 'description', 'servers', 'parameters']);

/** Removes members that OpenAPI 3.1 does not define. A method of a later version, for example, is not served. */
function withoutUnknownMembers(item: JsonObject): JsonObject {
  const isKnown = (key: string) => MEMBERS.has(key) || key.startsWith('x-');
  if (Object.keys(item).every(isKnown)) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => isKnown(key)));
}
