import { isObject, type JsonObject } from '../base/json/json-object.ts';

/** A part of a document, and the steps to it from the document's root. */
export interface Part {
  readonly path: readonly string[];
  readonly value: JsonObject;
}

/** Ends references that lead in a circle. */
const MAX_REFERENCES = 100;

/** The object at a path of a document, or where its local `$ref` leads; null if there is none. */
export function partAt(document: unknown, path: readonly string[]): Part | null {
  let at = path;
  for (let followed = 0; followed < MAX_REFERENCES; followed++) {
    const value = valueAt(document, at);
    if (!isObject(value)) return null;
    const { $ref } = value;
    if (typeof $ref !== 'string') return { path: at, value };
    if (!$ref.startsWith('#/')) return null;
    at = $ref.slice(2).split('/').map(decodeStep);
  }
  return null;
}

/** Undefined if there is nothing. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const step of path) {
    value = Object.hasOwn(Object(value) as object, step) ? (value as JsonObject)[step] : undefined;
  }
  return value;
}

/** A step of a JSON pointer in a URI (RFC 6901, 6). Escapes that are not UTF-8 stay as they are. */
export function decodeStep(step: string): string {
  const text = step.includes('%') ? unescaped(step) : step;
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
