import { isObject, type JsonObject } from '../base/json.ts';

/** A part of a document, and the steps to it from the document's root. */
export interface Part {
  readonly path: readonly string[];
  readonly value: JsonObject;
}

/** Maximum number of references to follow in a row. Circular references end there. */
const MAX_REFERENCES = 100;

/** Finds the object at a path of a document, or the target of its local `$ref`; null if there is none. */
export function partAt(document: unknown, path: readonly string[]): Part | null {
  let at = path;
  for (let followed = 0; followed < MAX_REFERENCES; followed++) {
    const value = valueAt(document, at);
    if (!isObject(value)) return null;
    const { $ref } = value;
    if (typeof $ref !== 'string') return { path: at, value };
    if (!$ref.startsWith('#/')) return null;
    at = parseSteps($ref);
  }
  return null;
}

/** Returns an object of a document, or the target of its local `$ref`; null if there is none. */
export function dereferenced(document: unknown, value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  return $ref.startsWith('#/') ? (partAt(document, parseSteps($ref))?.value ?? null) : null;
}

/** Finds the value at a path of a document; undefined if there is none. */
export function valueAt(document: unknown, path: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of path) {
    value = Object.hasOwn(Object(value) as object, step) ? (value as JsonObject)[step] : undefined;
  }
  return value;
}

/**
 * Creates a check for the references of one document. The check returns why a `$ref` cannot be followed; null if it can
 * be followed, points to nothing or leads to another document.
 */
export function createReferenceCheck(document: unknown): (reference: string) => string | null {
  // Each reference is read only once, because thousands of references can lead to one long chain of long names.
  const following = new Map<string, Following>();

  function findFollowing(reference: string): Following {
    let found = following.get(reference);
    if (found === undefined) following.set(reference, (found = readFollowing(reference)));
    return found;
  }

  function readFollowing(reference: string): Following {
    if (!reference.startsWith('#/')) return { next: null, isEncoded: true };
    const value = valueAt(document, parseSteps(reference));
    const next = isObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : null;
    return { next, isEncoded: !reference.includes('%') || isEncoded(reference) };
  }

  return function findFault(reference) {
    let at: string | null = reference;
    for (let followed = 0; followed < MAX_REFERENCES; followed++) {
      const found: Following = findFollowing(at);
      if (!found.isEncoded) return `"${reference}" is not percent-encoded: write % as %25`;
      at = found.next;
      if (at === null) return null;
    }
    return `"${reference}" is circular, or a chain of more than ${MAX_REFERENCES} references`;
  };
}

/** The target of a reference. `next` is the reference that it leads to; null if it leads to something else. */
interface Following {
  readonly next: string | null;
  readonly isEncoded: boolean;
}

/** Parses the steps of a local reference, which begins with `#/`. */
export function parseSteps(reference: string): string[] {
  return reference.slice(2).split('/').map(decodeStep);
}

/**
 * Decodes a step of a JSON pointer in a URI fragment (RFC 6901, 6). A step with invalid percent-encoding is returned as
 * it is.
 */
export function decodeStep(step: string): string {
  const text = step.includes('%') && isEncoded(step) ? decodeURIComponent(step) : step;
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
