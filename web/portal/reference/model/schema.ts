import { type ApiDocument, asList, asObject, asText, type JsonObject, referencedName } from './document.ts';

/** A property or a choice: a schema of the document, read when it is shown. */
export interface NamedSchema {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

/** One level of a schema, of OpenAPI 3.0 or 3.1, in one form for both. */
export interface SchemaView {
  /** Name of its component. */
  readonly name: string | null;
  /** The `$ref` of its component: the same schema wherever it is used. */
  readonly reference: string | null;
  /** Types, without `null`; empty if any type is allowed. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly description: string | null;
  readonly properties: readonly NamedSchema[];
  /** For values whose names are not listed. */
  readonly additional: unknown;
  readonly items: unknown;
  /** Of which exactly one (`oneOf`) or at least one (`anyOf`) holds. */
  readonly choices: {
    readonly kind: 'oneOf' | 'anyOf';
    readonly of: readonly NamedSchema[];
    /** The part of the document that lists them. */
    readonly key: object;
    /** The field whose value tells them apart; null if the document names none. */
    readonly by: string | null;
  } | null;
  /** Everything else, with `allOf` merged into it. */
  readonly raw: JsonObject;
}

/** How deep `allOf`, or a choice of one, may be nested; deeper is a circle. */
const MAX_DEPTH = 12;
/** Maximum number of merged schemas: a few that refer to each other several times produce thousands. */
const MAX_PARTS = 500;

export function readSchema(document: ApiDocument, schema: unknown, depth = 0): SchemaView {
  const left = { parts: MAX_PARTS };
  const raw = merged(document, schema, 0, left);
  const types = listTypes(raw);
  const choices = readChoices(document, raw);
  const isBase = choices !== null && choicesGiven(raw) === undefined;
  const [only] = choices?.of ?? [];
  // "One of Pet or null" is Pet, which may be null.
  if (choices?.of.length === 1 && only !== undefined && depth < MAX_DEPTH) {
    return { ...readSchema(document, only.schema, depth + 1), nullable: true };
  }
  const required = new Set(asList(raw['required']));
  return {
    name: referencedName(schema),
    reference: findReference(schema),
    types: types.filter((type) => type !== 'null'),
    nullable: types.includes('null') || raw['nullable'] === true || hasNullChoice(document, raw),
    description: asText(raw['description']),
    // Each schema built on a base has the base's properties.
    properties: Object.entries(asObject(isBase ? null : raw['properties']))
      .filter(([, each]) => document.isSent(merged(document, each, 0, left)))
      .map(([name, each]) => ({ name, required: required.has(name), schema: each })),
    additional: raw['additionalProperties'],
    items: raw['items'],
    choices,
    raw,
  };
}

function merged(document: ApiDocument, schema: unknown, depth: number, left: { parts: number }): JsonObject {
  const { allOf, ...own } = document.resolve(schema);
  if (allOf === undefined || depth > MAX_DEPTH) return own;
  return asList(allOf)
    .filter(() => left.parts-- > 0)
    .map((part) => withoutVariants(merged(document, part, depth + 1, left)))
    .reduceRight<JsonObject>((sum, part) => both(part, sum), own);
}

/** Its component, also if something other than fields is added to it. */
function findReference(schema: unknown): string | null {
  const { $ref, allOf, properties } = asObject(schema);
  const [part, ...others] = asList(allOf);
  // The value that a discriminator gives a variant is no field of its own.
  const hasFields = Object.values(asObject(properties)).some((each) => asObject(each)['const'] === undefined);
  const reference = $ref ?? (others.length === 0 && !hasFields ? asObject(part)['$ref'] : undefined);
  return typeof reference === 'string' ? reference : null;
}

/** What is built on a base with variants is one of them, and has none itself. */
function withoutVariants({ discriminator, ...part }: JsonObject): JsonObject {
  if (discriminator === undefined) return part;
  const { oneOf: _, anyOf: __, ...rest } = part;
  return rest;
}

/** What applies if both apply; if their descriptions differ, the second one is more specific. */
function both(one: JsonObject, other: JsonObject): JsonObject {
  const required = [...asList(one['required']), ...asList(other['required'])];
  const properties = { ...asObject(one['properties']), ...asObject(other['properties']) };
  return {
    ...one,
    ...other,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

function listTypes(raw: JsonObject): readonly string[] {
  const given = [raw['type']].flat().filter((type) => typeof type === 'string');
  if (given.length > 0) return given;
  if (raw['properties'] !== undefined || raw['additionalProperties'] !== undefined) return ['object'];
  return raw['items'] === undefined ? [] : ['array'];
}

function choicesGiven(raw: JsonObject): 'oneOf' | 'anyOf' | undefined {
  return (['oneOf', 'anyOf'] as const).find((each) => asList(raw[each]).length > 0);
}

/** Those of `oneOf` and `anyOf`; otherwise the schemas that a discriminator names. */
function readChoices(document: ApiDocument, raw: JsonObject): SchemaView['choices'] {
  const kind = choicesGiven(raw);
  const discriminator = asObject(raw['discriminator']);
  const mapped = Object.entries(asObject(discriminator['mapping'])).flatMap(([value, target]) =>
    typeof target === 'string'
      ? [{ value, $ref: target.includes('/') ? target : `#/components/schemas/${target}` }]
      : [],
  );
  const property = asText(discriminator['propertyName']);
  const tagged = (name: string, $ref: string, value: string) => ({
    name,
    required: false,
    schema: property === null ? { $ref } : { allOf: [{ $ref }], properties: { [property]: { const: value } } },
  });
  if (kind === undefined) {
    if (mapped.length === 0) return null;
    return {
      kind: 'oneOf',
      of: mapped.map(({ value, $ref }) => tagged(value, $ref, value)),
      key: discriminator,
      by: property,
    };
  }
  const list = asList(raw[kind]);
  const of = list.filter((each) => !isNull(document, each));
  if (of.length === 0) return null;
  const names = new Set<string>();
  const makeUnique = (name: string) => {
    const one = names.has(name) ? `${name} ${names.size + 1}` : name;
    names.add(one);
    return one;
  };
  return {
    kind,
    key: list,
    by: property,
    of: of.map((each, index) => {
      const { $ref } = asObject(each);
      const mapping = mapped.find((one) => one.$ref === $ref);
      if (mapping !== undefined) return tagged(makeUnique(mapping.value), mapping.$ref, mapping.value);
      const name = makeUnique(choiceName(document, each, index));
      // Without a mapping, the value is the name of the component.
      const value = property === null ? null : referencedName(each);
      if (typeof $ref === 'string' && value !== null) return tagged(name, $ref, value);
      return { name, required: false, schema: each };
    }),
  };
}

function choiceName(document: ApiDocument, schema: unknown, index: number): string {
  const { title, type } = document.resolve(schema);
  return asText(title) ?? referencedName(schema) ?? asText(type) ?? `Choice ${index + 1}`;
}

function hasNullChoice(document: ApiDocument, raw: JsonObject): boolean {
  return [...asList(raw['oneOf']), ...asList(raw['anyOf'])].some((each) => isNull(document, each));
}

function isNull(document: ApiDocument, schema: unknown): boolean {
  return document.resolve(schema)['type'] === 'null';
}
