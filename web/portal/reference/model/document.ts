export type JsonObject = Readonly<Record<string, unknown>>;

/** The maximum length of a chain of references. A longer chain is a cycle. */
const MAX_STEPS = 20;

/**
 * The marks of fields that are sent in one direction only: responses contain `readOnly` fields, requests contain
 * `writeOnly` fields.
 */
export type OneWay = 'readOnly' | 'writeOnly';

/** Reads an OpenAPI document of version 3.0 or 3.1. It accepts invalid documents. */
export class ApiDocument {
  readonly value: JsonObject;
  readonly #unsent: OneWay | undefined;

  /** @param unsent leaves out the fields that have this mark */
  constructor(value: JsonObject, unsent?: OneWay) {
    this.value = value;
    this.#unsent = unsent;
  }

  /** Returns the same document without the fields that have the mark. */
  without(unsent: OneWay): ApiDocument {
    return new ApiDocument(this.value, unsent);
  }

  /**
   * True if a field is sent in the direction that the document describes.
   *
   * @param schema resolved, with `allOf` merged into it
   */
  isSent(schema: JsonObject): boolean {
    return this.#unsent === undefined || schema[this.#unsent] !== true;
  }

  /**
   * Resolves the `$ref` of an object. Fields beside a `$ref` override those of its target. A reference that leads
   * nowhere, to another document or in a cycle becomes an empty object.
   */
  resolve(node: unknown): JsonObject {
    let found = asObject(node);
    for (let step = 0; typeof found['$ref'] === 'string'; step++) {
      if (step === MAX_STEPS) return {};
      const { $ref, ...beside } = found;
      found = { ...asObject(this.#at($ref)), ...beside };
    }
    return found;
  }

  /** Returns the document with the components of a part that was loaded later. */
  with(part: JsonObject): ApiDocument {
    const [own, added] = [asObject(this.value['components']), asObject(part['components'])];
    const kinds = new Set([...Object.keys(own), ...Object.keys(added)]);
    const components = [...kinds].map((kind) => {
      const loaded = Object.entries(asObject(own[kind])).filter(([, each]) => leftOutName(each) === null);
      return [kind, { ...asObject(added[kind]), ...Object.fromEntries(loaded) }];
    });
    return new ApiDocument({ ...this.value, components: Object.fromEntries(components) as JsonObject }, this.#unsent);
  }

  #at(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    const steps = reference.slice(2).split('/').map(unescapePointer);
    return steps.reduce<unknown>((at, step) => {
      const object = at as JsonObject;
      return typeof at === 'object' && at !== null && Object.hasOwn(object, step) ? object[step] : undefined;
    }, this.value);
  }
}

/** Finds the name by which a large schema can be loaded, if the gateway left it out. Null for other schemas. */
export function leftOutName(schema: unknown): string | null {
  return asText(asObject(schema)['x-tollgate-left-out']);
}

/** Finds the name in a `$ref`, such as `Pet`. Null if the node has no `$ref`. */
export function referencedName(node: unknown): string | null {
  const reference = asObject(node)['$ref'];
  return typeof reference === 'string' ? unescapePointer(reference.slice(reference.lastIndexOf('/') + 1)) : null;
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Decodes a segment of a JSON pointer in a fragment (RFC 6901, section 6). */
function unescapePointer(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
