import { isLongerThan, isObject, type JsonObject } from '../../base/json.ts';
import { parseSteps, valueAt } from '../pointer.ts';

/** A schema at its place in a document. */
export interface LocatedSchema {
  readonly schema: unknown;
  readonly pointer: string;
}

/** Schemas that a value must fit all at once. Several parts of a document may describe the same field. */
export interface Conjunction {
  readonly key: string;
  readonly parts: readonly LocatedSchema[];
}

/** A list of alternatives (`anyOf` or `oneOf`), without the alternative that allows only null. */
export interface Alternatives {
  readonly all: readonly LocatedSchema[];
  readonly pointer: string;
}

/** A conjunction with all that it refers to and builds on, as one list of schemas. */
export interface View {
  readonly schemas: readonly Readonly<{ schema: JsonObject; pointer: string }>[];
  readonly alternatives: readonly Alternatives[];
  /** Whether no value fits. */
  readonly isNever: boolean;
  readonly allowsNull: boolean;
  /** The types without null; null if the schema says nothing about the type. */
  readonly types: ReadonlySet<string> | null;
  readonly pointer: string;
}

/** Maximum number of schemas in one view. */
const MAX_SCHEMAS = 500;
const MAX_REFERENCES = 100;
/** Schemas and values that are longer as JSON are not compared as texts. */
const MAX_TEXT = 5000;

/** The schemas of one document. Schemas of OpenAPI 3.0 are read with their own meaning. */
export class DocumentSchemas {
  readonly document: JsonObject;
  readonly #is30: boolean;
  readonly #ids = new Map<unknown, number>();
  readonly #views = new Map<string, View>();

  constructor(document: JsonObject) {
    this.document = document;
    const { openapi } = document;
    this.#is30 = typeof openapi === 'string' && openapi.startsWith('3.0');
  }

  conjunction(parts: readonly LocatedSchema[]): Conjunction {
    const ids = parts.map(({ schema }) => {
      let id = this.#ids.get(schema);
      if (id === undefined) this.#ids.set(schema, (id = this.#ids.size));
      return id;
    });
    return { key: ids.join('+'), parts };
  }

  view(conjunction: Conjunction): View {
    let view = this.#views.get(conjunction.key);
    if (view === undefined) this.#views.set(conjunction.key, (view = this.#flatten(conjunction.parts)));
    return view;
  }

  /** Follows references. The pointer is the place of the target. */
  resolve(located: LocatedSchema): LocatedSchema {
    let at = located;
    for (let followed = 0; followed < MAX_REFERENCES; followed++) {
      const reference = isObject(at.schema) ? at.schema['$ref'] : undefined;
      if (typeof reference !== 'string' || !this.#isOnlyReference(at.schema as JsonObject)) return at;
      at = this.#target(reference);
    }
    return { schema: true, pointer: at.pointer };
  }

  #isOnlyReference(schema: JsonObject): boolean {
    return this.#is30 || Object.keys(schema).every((key) => key === '$ref' || ANNOTATIONS.has(key));
  }

  #target(reference: string): LocatedSchema {
    if (reference !== '#' && !reference.startsWith('#/')) return { schema: true, pointer: reference };
    const schema = reference === '#' ? this.document : valueAt(this.document, parseSteps(reference));
    return { schema, pointer: reference.slice(1) };
  }

  #flatten(parts: readonly LocatedSchema[]): View {
    const schemas: { schema: JsonObject; pointer: string }[] = [];
    const alternatives: Alternatives[] = [];
    let isNever = false;
    let allowsNull = true;
    let types: ReadonlySet<string> | null = null;
    const seen = new Set<unknown>();
    const queue = parts.map((part) => ({ ...part, allowsNull: false }));
    for (const { schema, pointer, allowsNull: isNullAllowed } of queue) {
      if (schema === false) isNever = true;
      if (!isObject(schema) || seen.has(schema) || seen.size >= MAX_SCHEMAS) continue;
      seen.add(schema);
      const { $ref, allOf } = schema;
      if (typeof $ref === 'string') queue.push({ ...this.#target($ref), allowsNull: isNullAllowed });
      if (typeof $ref === 'string' && this.#is30) continue;
      schemas.push({ schema, pointer });
      const withNull = isNullAllowed || (this.#is30 && schema['nullable'] === true);
      for (const [index, one] of listIn(allOf)) {
        queue.push({ schema: one, pointer: `${pointer}/allOf/${index}`, allowsNull: withNull });
      }
      allowsNull &&= withNull || this.#allowsNull(schema);
      const own = typesIn(schema);
      if (own !== null) types = types === null ? own : commonTypes(types, own);
      for (const keyword of ['anyOf', 'oneOf']) {
        const all = listIn(schema[keyword]).map(([index, one]) =>
          this.resolve({ schema: one, pointer: `${pointer}/${keyword}/${index}` }),
        );
        if (all.length === 0) continue;
        const others = all.filter((one) => !isNullOnly(one.schema));
        const groupAllowsNull = withNull || all.some((one) => isNullOnly(one.schema) || this.#allowsNullItself(one));
        const merged = mergeSimple(others);
        if (merged !== null) {
          queue.push({ schema: merged, pointer: `${pointer}/${keyword}`, allowsNull: groupAllowsNull });
          continue;
        }
        const [only] = others;
        if (others.length === 1 && only !== undefined) queue.push({ ...only, allowsNull: groupAllowsNull });
        else {
          allowsNull &&= groupAllowsNull;
          alternatives.push({ all: others, pointer: `${pointer}/${keyword}` });
        }
      }
    }
    types ??= impliedTypes(schemas);
    const pointer = schemas[0]?.pointer ?? parts[0]?.pointer ?? '';
    return { schemas, alternatives, isNever, allowsNull, types, pointer };
  }

  #allowsNull(schema: JsonObject): boolean {
    const { type } = schema;
    if (type !== undefined && ![type].flat().includes('null')) return false;
    return valuesIn(schema)?.includes(null) ?? true;
  }

  #allowsNullItself({ schema }: LocatedSchema): boolean {
    if (!isObject(schema) || typeof schema['$ref'] === 'string' || 'allOf' in schema) return false;
    return (this.#is30 && schema['nullable'] === true) || this.#allowsNull(schema);
  }
}

/**
 * Alternatives that are only types, or only values, as the one schema that means the same; null if they are more. Authors
 * write both forms.
 */
function mergeSimple(all: readonly LocatedSchema[]): JsonObject | null {
  const schemas = all.map(({ schema }) => schema);
  if (schemas.length === 0 || !schemas.every(isSimple)) return null;
  const types = [...new Set(schemas.flatMap((schema) => [...(typesIn(schema) ?? [])]))];
  if (schemas.every((schema) => valuesIn(schema) === null)) return { type: types };
  if (schemas.some((schema) => valuesIn(schema) === null)) return null;
  const type = schemas.every((schema) => typesIn(schema) !== null) ? { type: types } : {};
  return { ...type, enum: schemas.flatMap((schema) => valuesIn(schema) ?? []) };
}

const SIMPLE = new Set(['type', 'enum', 'const', 'nullable']);

function isSimple(schema: unknown): schema is JsonObject {
  if (!isObject(schema)) return false;
  const keys = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key) && !key.startsWith('x-'));
  return keys.length > 0 && keys.every((key) => SIMPLE.has(key));
}

/** The values that a schema lists; null if it lists none. */
export function valuesIn(schema: JsonObject): readonly unknown[] | null {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : null;
}

function isNullOnly(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, enum: values } = schema;
  if (type === 'null' || ('const' in schema && schema['const'] === null)) return true;
  return Array.isArray(values) && values.length === 1 && values[0] === null;
}

export function listIn(value: unknown): [number, unknown][] {
  return Array.isArray(value) ? [...(value as unknown[]).entries()] : [];
}

/** The texts of a list, for fields that hold names. */
export function textsIn(value: unknown): string[] {
  return listIn(value)
    .map(([, one]) => one)
    .filter((one) => typeof one === 'string');
}

function typesIn({ type }: JsonObject): ReadonlySet<string> | null {
  if (type === undefined) return null;
  return new Set([type].flat().filter((one) => typeof one === 'string' && one !== 'null') as string[]);
}

function commonTypes(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one, ...other].filter((type) => hasType(one, type) && hasType(other, type)));
}

/** Whether all values of a type are allowed. Every integer is a number. */
export function hasType(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

/** Many documents leave out the type where other fields leave no doubt. */
function impliedTypes(schemas: View['schemas']): ReadonlySet<string> | null {
  const has = (...keys: string[]) => schemas.some(({ schema }) => keys.some((key) => schema[key] !== undefined));
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return new Set(['object']);
  if (has('items', 'prefixItems')) return new Set(['array']);
  const values = schemas.flatMap(({ schema }) => valuesIn(schema) ?? []);
  return values.length === 0 ? null : new Set(values.filter((value) => value !== null).map(typeName));
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

/** Fields that do not restrict values. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'xml',
  '$comment',
  'discriminator',
]);

/** One text for all schemas that are equal in this document; null if it would be too long. */
export function schemaText(schema: unknown): string | null {
  return isLongerThan(MAX_TEXT, schema) ? null : sortedText(schema, 'schema');
}

/** One text for all JSON values that are equal; null if it would be too long. */
export function valueText(value: unknown): string | null {
  return isLongerThan(MAX_TEXT, value) ? null : sortedText(value, 'value');
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const VALUES = new Set(['enum', 'const']);
/** The order of these lists means nothing. */
const SETS = new Set(['enum', 'required', 'type']);

function sortedText(value: unknown, kind: 'schema' | 'map' | 'value'): string {
  if (Array.isArray(value)) {
    const texts = value.map((one) => sortedText(one, kind));
    return `[${texts.join(',')}]`;
  }
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).filter(
    (name) => kind !== 'schema' || (!ANNOTATIONS.has(name) && !name.startsWith('x-')),
  );
  const texts = names.sort().map((name) => {
    const inner =
      kind === 'value' || VALUES.has(name) ? 'value' : kind === 'schema' && MAPS.has(name) ? 'map' : 'schema';
    const child = value[name];
    const isSet = kind === 'schema' && SETS.has(name) && Array.isArray(child);
    const text = isSet
      ? child
          .map((one) => sortedText(one, 'value'))
          .sort()
          .join(',')
      : sortedText(child, inner);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${texts.join(',')}}`;
}
