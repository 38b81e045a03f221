import type { JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { OPERATION_KEYS } from './openapi.ts';

/**
 * An object of an OpenAPI document that may contain schemas or references. A `value` is the data of an example. Some
 * vendors put a reference in its place.
 */
export type NodeKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'callback'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'header'
  | 'mediaType'
  | 'encoding'
  | 'example'
  | 'link'
  | 'schema'
  | 'value';

/** `extensible`: a map in which a name that begins with `x-` is an extension. */
type Shape = 'one' | 'list' | 'map' | 'extensible';
/** The kind of a child, and whether it is one node, a list of nodes or a map of nodes. */
export type Child = readonly [NodeKind, Shape];

const fields = (children: Readonly<Record<string, Child>>): ReadonlyMap<string, Child> =>
  new Map(Object.entries(children));

const schema: Child = ['schema', 'one'];
const schemaList: Child = ['schema', 'list'];
const schemaMap: Child = ['schema', 'map'];
const described = {
  schema,
  content: ['mediaType', 'map'],
  example: ['value', 'one'],
  examples: ['example', 'map'],
} as const satisfies Record<string, Child>;

const CHILDREN: Readonly<Record<Exclude<NodeKind, 'callback'>, ReadonlyMap<string, Child>>> = {
  document: fields({
    paths: ['pathItem', 'extensible'],
    webhooks: ['pathItem', 'map'],
    'x-webhooks': ['pathItem', 'map'],
    components: ['components', 'one'],
  }),
  components: fields({
    schemas: schemaMap,
    responses: ['response', 'map'],
    parameters: ['parameter', 'map'],
    examples: ['example', 'map'],
    requestBodies: ['requestBody', 'map'],
    headers: ['header', 'map'],
    links: ['link', 'map'],
    callbacks: ['callback', 'map'],
    pathItems: ['pathItem', 'map'],
  }),
  pathItem: fields({
    parameters: ['parameter', 'list'],
    ...Object.fromEntries([...OPERATION_KEYS, 'trace'].map((key): [string, Child] => [key, ['operation', 'one']])),
  }),
  operation: fields({
    parameters: ['parameter', 'list'],
    requestBody: ['requestBody', 'one'],
    responses: ['response', 'extensible'],
    callbacks: ['callback', 'map'],
  }),
  parameter: fields(described),
  requestBody: fields({ content: described.content }),
  response: fields({ headers: ['header', 'map'], content: described.content, links: ['link', 'map'] }),
  header: fields(described),
  mediaType: fields({
    schema,
    example: described.example,
    examples: described.examples,
    encoding: ['encoding', 'map'],
  }),
  encoding: fields({ headers: ['header', 'map'] }),
  example: fields({ value: ['value', 'one'] }),
  link: fields({}),
  value: fields({}),
  schema: fields({
    ...Object.fromEntries(['$defs', 'definitions', 'dependentSchemas', 'properties'].map((key) => [key, schemaMap])),
    patternProperties: schemaMap,
    ...Object.fromEntries(['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => [key, schemaList])),
    ...Object.fromEntries(['additionalProperties', 'contains', 'contentSchema', 'else'].map((key) => [key, schema])),
    ...Object.fromEntries(['if', 'items', 'not', 'propertyNames', 'then'].map((key) => [key, schema])),
    ...Object.fromEntries(['unevaluatedItems', 'unevaluatedProperties'].map((key) => [key, schema])),
  }),
};

const NODES_PER_PAUSE = 256;

/** Adds a part from elsewhere to the document. The same changes are then made to this part. */
export type AddPart = (holder: Record<string, unknown>, key: string, kind: NodeKind) => void;

/** Returns the node itself if there is nothing to change in it, or else a shallow copy with the changes. */
export type NodeChange = (node: JsonObject, kind: NodeKind, add: AddPart) => JsonObject;

/** An object or a list of the document. */
interface Place {
  readonly parent: Place | null;
  readonly key: string;
  readonly child: Child;
  value: Record<string, unknown> | unknown[];
  /** Whether the value is a copy, so that children can be replaced in it. */
  isCopy: boolean;
}

/**
 * Applies the changes to each node of a document, in order, and to outer nodes first. Everything unchanged is shared with
 * the original. Defaults, enums, extensions and the contents of examples are data, so they contain no nodes.
 */
export async function withNodesChanged(document: JsonObject, changes: readonly NodeChange[]): Promise<JsonObject> {
  const root: Place = { parent: null, key: '', child: ['document', 'one'], value: document, isCopy: false };
  // This does not recurse, because awaiting a promise for each of a million nodes would take longer than copying them.
  const places = [root];
  const add: AddPart = (holder, key, kind) => {
    const parent: Place = { parent: null, key: '', child: [kind, 'map'], value: holder, isCopy: true };
    pushChild(places, parent, key, [kind, 'one']);
  };
  let nodes = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (++nodes % NODES_PER_PAUSE === 0) await pauseIfDue();
    const [kind, shape] = place.child;
    const { value } = place;
    if (Array.isArray(value)) {
      if (shape !== 'list' && kind !== 'schema') continue;
      for (const index of value.keys()) pushChild(places, place, String(index), [kind, 'one']);
    } else if (shape !== 'list') {
      let node: JsonObject = value;
      if (shape === 'one') for (const change of changes) node = change(node, kind, add);
      if (node !== value) replaceValue(place, node);
      for (const name of Object.keys(node)) {
        const inner = childBelow(place.child, name);
        if (inner !== undefined) pushChild(places, place, name, inner);
      }
    }
  }
  return root.value as JsonObject;
}

function pushChild(places: Place[], parent: Place, key: string, child: Child): void {
  const value = (parent.value as Record<string, unknown>)[key];
  if (typeof value !== 'object' || value === null) return;
  places.push({ parent, key, child, value: value as Place['value'], isCopy: false });
}

function replaceValue(place: Place, copy: Place['value']): void {
  place.value = copy;
  place.isCopy = true;
  const { parent, key } = place;
  if (parent === null) return;
  if (!parent.isCopy) replaceValue(parent, Array.isArray(parent.value) ? [...parent.value] : { ...parent.value });
  // The copy already has `__proto__` as its own property, so assigning to it is harmless.
  (parent.value as Record<string, unknown>)[key] = copy;
}

/** Finds the kind of a child of a place in a document. Undefined for data. */
export function childBelow(child: Child, name: string): Child | undefined {
  const [kind, shape] = child;
  return shape === 'one' ? childAt(kind, name) : entryIn(child, name);
}

/** The names of the fields in which a node of this kind has children. */
export function childNames(kind: Exclude<NodeKind, 'callback'>): readonly string[] {
  return [...CHILDREN[kind].keys()];
}

function childAt(kind: NodeKind, name: string): Child | undefined {
  if (kind !== 'callback') return CHILDREN[kind].get(name);
  return name.startsWith('x-') || name === '$ref' ? undefined : ['pathItem', 'one'];
}

function entryIn([kind, shape]: Child, name: string): Child | undefined {
  return shape === 'extensible' && name.startsWith('x-') ? undefined : [kind, 'one'];
}
