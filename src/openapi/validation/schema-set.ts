import { isObject, type JsonObject } from '../../base/json.ts';
import { childBelow } from '../document-nodes.ts';
import { parseSteps, valueAt } from '../pointer.ts';
import { Evaluated } from './evaluated.ts';
import { objectAt } from '../components.ts';
import { compileKeywords, type Keywords } from './keywords.ts';
import { Patterns } from './patterns.ts';
import { type JsonValue, type TypeName, typeName, TYPES } from './read-json.ts';
import type { Run, Schema } from './run.ts';

/** The schemas of one document. */
export class SchemaSet {
  readonly root: unknown;
  readonly is30: boolean;
  readonly patterns = new Patterns();
  readonly #nodes = new Map<unknown, SchemaNode>();

  constructor(root: unknown, is30: boolean) {
    this.root = root;
    this.is30 = is30;
  }

  /** The node of a schema that is a part of the document. Equal objects in two places are two nodes. */
  node(schema: unknown): SchemaNode {
    let node = this.#nodes.get(schema);
    if (node === undefined) this.#nodes.set(schema, (node = new SchemaNode(schema, this)));
    return node;
  }

  nodes(schema: unknown, keywords: readonly string[]): SchemaNode[] {
    if (!isObject(schema)) return [];
    return keywords.flatMap((keyword) => {
      if (keyword === '$ref') return typeof schema.$ref === 'string' ? [this.referredBy(schema.$ref)] : [];
      // In OpenAPI 3.0, fields next to a reference are ignored.
      if (this.is30 && typeof schema['$ref'] === 'string') return [];
      const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
      if (value === undefined) return [];
      if (Array.isArray(value)) return value.map((each) => this.node(each));
      const [, shape] = childBelow(['schema', 'one'], keyword) ?? [];
      if (shape === 'map') return Object.values(value as JsonObject).map((each) => this.node(each));
      return [this.node(value)];
    });
  }

  referredBy(reference: string): SchemaNode {
    return this.node(reference === '#' ? this.root : valueAt(this.root, parseSteps(reference)));
  }

  isNullable(schema: JsonObject): boolean {
    return this.is30 && schema['nullable'] === true;
  }
}

/**
 * A schema of a document. Its keywords are prepared when it is first used, and those below it likewise, so that no
 * request waits for the preparation of a large schema. No code is generated from the document.
 */
export class SchemaNode implements Schema {
  readonly schema: unknown;
  readonly #set: SchemaSet;
  #keywords: Keywords | null = null;
  #types: ReadonlySet<TypeName> | null = null;
  #readOnlyNames: ReadonlySet<string> | null = null;

  constructor(schema: unknown, set: SchemaSet) {
    this.schema = schema;
    this.#set = set;
  }

  check(value: JsonValue, run: Run, seen: Evaluated | null): boolean {
    run.enter();
    this.#keywords ??= compileKeywords(this.schema, this.#set);
    const { byType, needsEvaluated } = this.#keywords;
    const evaluated = needsEvaluated ? new Evaluated() : seen;
    let isValid = true;
    for (const keyword of byType[typeName(value)]) {
      if (keyword(value as never, run, evaluated)) continue;
      isValid = false;
      if (keyword.decides === true || run.stopsEarly) break;
    }
    if (needsEvaluated && seen !== null && evaluated !== null) seen.add(evaluated);
    run.leave();
    return isValid;
  }

  /** The schemas that apply to the same value. */
  partsInPlace(): SchemaNode[] {
    return listInPlace(this.schema, this.#set);
  }

  /** The schemas of an item, in this schema and in all that apply to the same value. */
  itemNodes(index: number): SchemaNode[] {
    return this.#inPlace().flatMap(({ schema }) => {
      if (!isObject(schema)) return [];
      const { items, prefixItems } = schema;
      const tupleSchemas: unknown = Array.isArray(items) ? items : prefixItems;
      const item: unknown =
        (Array.isArray(tupleSchemas) ? (tupleSchemas[index] as unknown) : undefined) ??
        (Array.isArray(items) ? undefined : items);
      return item === undefined ? [] : [this.#set.node(item)];
    });
  }

  /** The schemas of a property, in this schema and in all that apply to the same value. */
  propertyNodes(name: string): SchemaNode[] {
    return this.#inPlace().flatMap(({ schema }) => {
      const properties = objectAt(schema, 'properties');
      if (Object.hasOwn(properties, name)) return [this.#set.node(properties[name])];
      const others = isObject(schema) ? schema['additionalProperties'] : undefined;
      return isObject(others) ? [this.#set.node(others)] : [];
    });
  }

  propertyNames(): string[] {
    return this.#inPlace().flatMap(({ schema }) => Object.keys(objectAt(schema, 'properties')));
  }

  /** This schema and all that apply to the same value. */
  #inPlace(): SchemaNode[] {
    const nodes = new Set<SchemaNode>([this]);
    for (const node of nodes) for (const part of node.partsInPlace()) if (nodes.size < MAX_PARTS) nodes.add(part);
    return [...nodes];
  }

  types(): ReadonlySet<TypeName> {
    if (this.#types !== null) return this.#types;
    this.#types = ALL_TYPES;
    return (this.#types = findTypes(this.schema, this.#set));
  }

  readOnlyNames(): ReadonlySet<string> {
    if (this.#readOnlyNames !== null) return this.#readOnlyNames;
    const names = new Set<string>();
    for (const node of this.#inPlace()) {
      for (const [name, property] of Object.entries(objectAt(node.schema, 'properties'))) {
        if (this.#set.node(property).isReadOnly()) names.add(name);
      }
    }
    return (this.#readOnlyNames = names);
  }

  isReadOnly(): boolean {
    const nodes = new Set<SchemaNode>([this]);
    for (const node of nodes) {
      if (isObject(node.schema) && node.schema['readOnly'] === true) return true;
      // A reference, or the only way in OpenAPI 3.0 to add to one.
      for (const part of this.#set.nodes(node.schema, ['$ref', 'allOf'])) if (nodes.size < MAX_PARTS) nodes.add(part);
    }
    return false;
  }
}

const MAX_PARTS = 1000;
const ALL_TYPES: ReadonlySet<TypeName> = new Set(TYPES);
const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];

function listInPlace(schema: unknown, set: SchemaSet): SchemaNode[] {
  return set.nodes(schema, IN_PLACE);
}

function findTypes(schema: unknown, set: SchemaSet): ReadonlySet<TypeName> {
  if (!isObject(schema)) return schema === false ? new Set() : ALL_TYPES;
  const { type } = schema;
  let types = type === undefined ? ALL_TYPES : new Set([type].flat().map(toTypeName));
  for (const node of set.nodes(schema, ['$ref', 'allOf'])) types = types.intersection(node.types());
  for (const keyword of ['anyOf', 'oneOf']) {
    const alternatives = set.nodes(schema, [keyword]);
    if (alternatives.length === 0) continue;
    types = types.intersection(alternatives.reduce((all, node) => all.union(node.types()), new Set<TypeName>()));
  }
  return set.isNullable(schema) ? types.union(new Set<TypeName>(['null'])) : types;
}

function toTypeName(type: unknown): TypeName {
  return type === 'integer' ? 'number' : (type as TypeName);
}
