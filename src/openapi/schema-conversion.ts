import { isObject, type JsonObject } from '../base/json.ts';
import { type Child, childBelow, type NodeChange, type NodeKind } from './document-nodes.ts';
import { decodeStep, valueAt } from './pointer.ts';

interface SchemaConversion {
  readonly change: NodeChange;
  /** Returns the reference to the same place after the conversion, because the conversion moves parts of schemas. */
  readonly movedReference: (reference: string) => string;
}

/**
 * Converts the schemas of a document to OpenAPI 3.1 schemas, which are JSON Schema. The document keeps its version,
 * because the version says where its webhooks are.
 *
 * @returns null for a document of 3.1
 */
export function schemaConversion(document: JsonObject): SchemaConversion | null {
  const { openapi } = document;
  if (typeof openapi !== 'string' || !openapi.startsWith('3.0')) return null;
  return { change: convertedNode, movedReference: (reference) => movedReference(document, reference) };
}

function convertedNode(node: JsonObject, kind: NodeKind): JsonObject {
  if (kind === 'pathItem' || kind === 'value') return node;
  // In 3.0, fields next to a reference are ignored (3.0.4, 4.7.23), except in path items. In 3.1, they would count, so
  // they are removed.
  const { $ref } = node;
  if (typeof $ref === 'string') return Object.keys(node).length === 1 ? node : { $ref };
  return kind === 'schema' && CHANGED_FIELDS.some((field) => field in node) ? convertedSchema(node) : node;
}

const CHANGED_FIELDS = ['nullable', 'example', 'examples', 'exclusiveMinimum', 'exclusiveMaximum'];

function movedReference(document: JsonObject, reference: string): string {
  if (!reference.startsWith('#/')) return reference;
  const steps = reference.slice(2).split('/');
  const moved: string[] = [];
  let node: unknown = document;
  let child: Child | undefined = ['document', 'one'];
  for (let at = 0; at < steps.length; at++) {
    const [raw = '', name] = [steps[at], decodeStep(steps[at] ?? '')];
    const isSchema = child !== undefined && child[0] === 'schema' && child[1] === 'one' && isObject(node);
    const schema = isSchema ? (node as JsonObject) : {};
    if (schema['nullable'] === true && isComposed(schema) && isConstraint(name)) {
      moved.push('anyOf', '0');
      const isOnly = name === 'allOf' && steps[at + 1] === '0' && onlyPart(constraintsIn(schema)) !== undefined;
      if (!isOnly) moved.push(raw);
      else {
        node = valueAt(node, [name, '0']);
        at++;
        continue;
      }
    } else if (isSchema && name === 'example') moved.push('examples', '0');
    else moved.push(raw);
    node = valueAt(node, [name]);
    child = child === undefined ? undefined : childBelow(child, name);
  }
  return `#/${moved.join('/')}`;
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** Converts exclusive bounds, which are booleans in OpenAPI 3.0 and numbers in JSON Schema. Changes the schema itself. */
export function convertBounds(schema: Record<string, unknown>): void {
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive];
    delete schema[exclusive];
    if (!isExclusive || typeof schema[bound] !== 'number') continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

/** Converts a schema of OpenAPI 3.0 to JSON Schema. Schemas inside it are not converted. */
function convertedSchema(schema: JsonObject): JsonObject {
  const { nullable, example, ...rest } = schema;
  const converted: Record<string, unknown> = rest;
  convertBounds(converted);
  // Schemas of 3.0 have no `examples`. Some documents have a map there, as in media types.
  if ('examples' in converted && !Array.isArray(converted['examples'])) delete converted['examples'];
  if (example !== undefined) converted['examples'] ??= [example];
  return nullable === true ? withNull(converted) : converted;
}

/** Fields that describe values but do not restrict them. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
]);

/** Whether a field restricts values. Fields that the conversion removes do not count. */
function isConstraint(key: string): boolean {
  return !ANNOTATIONS.has(key) && !key.startsWith('x-') && key !== 'example' && key !== 'nullable';
}

function constraintsIn(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => isConstraint(key)));
}

function isComposed(schema: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf'].some((key) => Array.isArray(schema[key]));
}

/** Finds the only part of an `allOf`, if the schema has no other restrictions. */
function onlyPart({ allOf, ...others }: JsonObject): JsonObject | undefined {
  const only: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  return isObject(only) && Object.keys(others).length === 0 ? only : undefined;
}

function withNull(schema: JsonObject): JsonObject {
  if (isComposed(schema)) return orNull(schema);
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(typeof type === 'string' && type !== 'null' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/** Null must be an alternative to the whole composition. Otherwise, each of its parts would have to allow null. */
function orNull(schema: JsonObject): JsonObject {
  const constraints = constraintsIn(schema);
  const annotations = Object.entries(schema).filter(([key]) => !isConstraint(key));
  return { ...Object.fromEntries(annotations), anyOf: [onlyPart(constraints) ?? constraints, { type: 'null' }] };
}
