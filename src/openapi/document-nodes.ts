import { isObject, type JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { OPERATION_KEYS } from './openapi.ts';

/** The objects of an OpenAPI document in which there may be schemas or references. */
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
  | 'schema';

/** `extensible`: a map in which a name that begins with `x-` is an extension. */
type Shape = 'one' | 'list' | 'map' | 'extensible';
/** Also the type of a list of nodes, or of a map. */
export type Child = readonly [NodeKind, Shape];

const fields = (children: Readonly<Record<string, Child>>): ReadonlyMap<string, Child> =>
  new Map(Object.entries(children));

const schema: Child = ['schema', 'one'];
const schemaList: Child = ['schema', 'list'];
const schemaMap: Child = ['schema', 'map'];
const described = {
  schema,
  content: ['mediaType', 'map'],
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
  mediaType: fields({ schema, examples: described.examples, encoding: ['encoding', 'map'] }),
  encoding: fields({ headers: ['header', 'map'] }),
  example: fields({}),
  link: fields({}),
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

/** An object or a list, whose children are the original ones until they are copied in their turn. */
type Copy = Record<string, unknown>;

interface Place {
  readonly holder: Copy;
  readonly key: string;
  readonly child: Child;
}

/** Adds a part from elsewhere, which is copied like the document. */
export type AddPart = (holder: Record<string, unknown>, key: string, kind: NodeKind) => void;

/**
 * A copy of a document in which `change` has replaced each node, the outer ones first. Examples, defaults, lists of values
 * and extensions are data: what is in them is not a node, and is shared with the original.
 */
export async function withNodesChanged(
  document: JsonObject,
  change: (node: JsonObject, kind: NodeKind, add: AddPart) => JsonObject,
): Promise<JsonObject> {
  const root: Copy = { document };
  // Not by recursion: a promise for each of a million nodes would take longer than the copies.
  const places: Place[] = [{ holder: root, key: 'document', child: ['document', 'one'] }];
  const add: AddPart = (holder, key, kind) => void places.push({ holder, key, child: [kind, 'one'] });
  let nodes = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (++nodes % NODES_PER_PAUSE === 0) await pauseIfDue();
    const { holder, key, child } = place;
    const [kind, shape] = child;
    const value = holder[key];
    if (Array.isArray(value)) {
      if (shape !== 'list' && kind !== 'schema') continue;
      const copy = [...(value as unknown[])] as unknown as Copy;
      holder[key] = copy;
      for (const index of value.keys()) places.push({ holder: copy, key: String(index), child: [kind, 'one'] });
    } else if (isObject(value) && shape !== 'list') {
      const isNode = shape === 'one';
      // A copy has the name `__proto__` as its own, so that assigning to it is harmless.
      const copy: Copy = { ...(isNode ? change(value, kind, add) : value) };
      holder[key] = copy;
      for (const name of Object.keys(copy)) {
        const inner = childBelow(child, name);
        if (inner !== undefined) places.push({ holder: copy, key: name, child: inner });
      }
    }
  }
  return root['document'] as JsonObject;
}

/** Where a step from one place of a document leads; undefined: to data. */
export function childBelow(child: Child, name: string): Child | undefined {
  const [kind, shape] = child;
  return shape === 'one' ? childAt(kind, name) : entryIn(child, name);
}

function childAt(kind: NodeKind, name: string): Child | undefined {
  if (kind !== 'callback') return CHILDREN[kind].get(name);
  return name.startsWith('x-') || name === '$ref' ? undefined : ['pathItem', 'one'];
}

function entryIn([kind, shape]: Child, name: string): Child | undefined {
  return shape === 'extensible' && name.startsWith('x-') ? undefined : [kind, 'one'];
}
