import { isObject, type JsonObject } from '../json.ts';

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** A document of OpenAPI 3.0 with its schemas as JSON Schema, which those of 3.1 are. */
export function withJsonSchemas(document: JsonObject): JsonObject {
  return converted(document) as JsonObject;
}

function converted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(converted);
  if (!isObject(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, converted(value)]));
  const { nullable, type, enum: values } = copy;
  if (nullable === true && typeof type === 'string') {
    copy['type'] = [type, 'null'];
    if (Array.isArray(values) && !values.includes(null)) copy['enum'] = [...(values as unknown[]), null];
  }
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    const isExclusive = copy[exclusive];
    delete copy[exclusive];
    if (!isExclusive || typeof copy[bound] !== 'number') continue;
    copy[exclusive] = copy[bound];
    delete copy[bound];
  }
  return copy;
}
