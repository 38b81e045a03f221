import { isObject, type JsonObject } from '../base/json.ts';
import { type AddPart, type NodeKind, withNodesChanged } from './document-nodes.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { stepsOf, valueAt } from './pointer.ts';

export interface Publication {
  /** In front of every path. */
  readonly prefix: string;
  /** Whether several services have a path, with its prefix: parameters of the path then move into its operations. */
  readonly isShared: (path: string) => boolean;
  /** Statuses of the responses that the gateway's own replace. */
  readonly replacedStatuses: ReadonlySet<string>;
}

/** The kinds of components to which parts of other places are moved. */
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

/**
 * A document whose paths have their prefix, and whose references lead to where things will be published: what is not
 * published at its place becomes a component. Members of path items that OpenAPI 3.1 does not have are removed.
 */
export async function withPublishedReferences(document: JsonObject, publication: Publication): Promise<JsonObject> {
  const { prefix } = publication;
  const encodedPrefix = prefix.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
  const moved: Record<string, Record<string, unknown>> = {};
  const names = new Map<string, string>();

  const prefixed = (reference: string) =>
    reference.startsWith('#/paths/') ? `#/paths/${encodedPrefix}${reference.slice('#/paths/'.length)}` : reference;

  function published(reference: string, kind: NodeKind, add: AddPart): string {
    if (!reference.startsWith('#/')) return reference;
    const steps = stepsOf(reference);
    const component = COMPONENTS[kind];
    if (component === undefined || staysAt(steps, publication)) return prefixed(reference);
    const value = valueAt(document, steps);
    if (value === undefined) return prefixed(reference);
    const key = JSON.stringify([component, steps]);
    let name = names.get(key);
    if (name === undefined) {
      const entries = (moved[component] ??= {});
      name = freeName(steps, (each) => Object.hasOwn(entries, each) || hasComponent(document, component, each));
      names.set(key, name);
      entries[name] = value;
      add(entries, name, kind);
    }
    return `#/components/${component}/${name}`;
  }

  const copy = await withNodesChanged(document, (node, kind, add) => {
    const { $ref, operationRef } = node;
    if (kind === 'document') return withPrefixedPaths(node, prefix);
    if (kind === 'pathItem') {
      const item = withoutUnknownMembers(node);
      return typeof $ref === 'string' ? { ...item, $ref: published($ref, kind, add) } : item;
    }
    if (typeof $ref === 'string') return { ...node, $ref: published($ref, kind, add) };
    if (kind === 'link' && typeof operationRef === 'string') return { ...node, operationRef: prefixed(operationRef) };
    return kind === 'schema' ? withPublishedMapping(node, (target) => published(target, kind, add)) : node;
  });
  return Object.keys(moved).length === 0 ? copy : withComponents(copy, moved);
}

function withPrefixedPaths(document: JsonObject, prefix: string): JsonObject {
  const { paths } = document;
  if (prefix === '' || !isObject(paths)) return document;
  const prefixed = Object.entries(paths).map(([path, item]) => [path.startsWith('/') ? prefix + path : path, item]);
  return { ...document, paths: Object.fromEntries(prefixed) as JsonObject };
}

function withPublishedMapping(schema: JsonObject, published: (reference: string) => string): JsonObject {
  const { discriminator } = schema;
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return schema;
  const targets = Object.entries(discriminator['mapping']);
  const mapping = Object.fromEntries(
    targets.map(([value, target]) => [value, typeof target === 'string' ? published(target) : target]),
  );
  return { ...schema, discriminator: { ...discriminator, mapping } };
}

/** Whether something is published at its own place. */
function staysAt(
  [top, path = '', member, inner, status = '']: readonly string[],
  { prefix, isShared, replacedStatuses }: Publication,
): boolean {
  if (top === 'components') return true;
  if (top !== 'paths') return false;
  if (isShared(prefix + path) && (member === undefined || member === 'parameters' || inner === 'parameters'))
    return false;
  if (member === undefined || member === 'parameters') return true;
  return OPERATION_KEYS.has(member) && !(inner === 'responses' && replacedStatuses.has(status));
}

function hasComponent(document: JsonObject, kind: string, name: string): boolean {
  return valueAt(document, ['components', kind, name]) !== undefined;
}

const MAX_NAME = 100;

/** From the steps to where it was, in the characters that names of components may have. */
function freeName(steps: readonly string[], isTaken: (name: string) => boolean): string {
  const words = steps.slice(1).flatMap((step) => step.match(/[A-Za-z0-9]+/g) ?? []);
  const name = words.join('_').slice(-MAX_NAME) || 'part';
  let free = name;
  for (let count = 2; isTaken(free); count++) free = `${name}_${count}`;
  return free;
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

/** A method of a later version of OpenAPI is not served, and is not valid in this one. */
function withoutUnknownMembers(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => MEMBERS.has(key) || key.startsWith('x-')));
}
