/** A JSON Schema in the admin API's document. It has only the keywords that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
}

/**
 * `client`: types for callers, without defaults. `server`: types for handlers, with defaults filled in. These are
 * read-only, so that handlers may return read-only objects.
 */
export type Side = 'client' | 'server';

/** Writes the TypeScript type of a schema. Patterns and bounds are left out. */
export function writeType(schema: Schema, side: Side): string {
  if (schema.$ref !== undefined) return refineType(toComponentType(schema.$ref), schema, side);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return alternatives.map((one) => `(${writeType(one, side)})`).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${writeType(one, side)})`).join(' & ');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : writeObjectType(schema, side);
  return types.map((type) => writePlainType(type, schema, side)).join(' | ');
}

function toComponentType(ref: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1];
  if (name === undefined) throw new Error(`${ref} is not a schema of the document`);
  return `components['schemas']['${name}']`;
}

/** Applies the keywords next to a `$ref`, such as additional properties, or `required`. */
function refineType(base: string, { type, properties = {}, required = [] }: Schema, side: Side): string {
  // A `$ref` may point to a nullable type. `type: object` next to it rules out null.
  const parts = [type === 'object' ? `NonNullable<${base}>` : base];
  if (Object.keys(properties).length > 0) parts.push(writeObjectType({ properties, required }, side));
  const otherRequired = required.filter((name) => !Object.hasOwn(properties, name));
  if (otherRequired.length > 0) {
    parts.push(`Required<Pick<${base}, ${otherRequired.map((name) => JSON.stringify(name)).join(' | ')}>>`);
  }
  return parts.join(' & ');
}

function writePlainType(type: string, schema: Schema, side: Side): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `${formatReadonly(side)}(${writeType(schema.items ?? {}, side)})[]`;
  if (type === 'object') return writeObjectType(schema, side);
  return type;
}

function writeObjectType({ properties, required = [], additionalProperties }: Schema, side: Side): string {
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return side === 'client' ? 'Record<string, unknown>' : 'object';
    const values = writeType(additionalProperties, side);
    return side === 'client' ? `Record<string, ${values}>` : `Readonly<Record<string, ${values}>>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) =>
    writeField(name, schema, required.includes(name), side),
  );
  return `{ ${fields.join(' ')} }`;
}

/** Writes a property or parameter. For the server, a property with a default is never optional. */
export function writeField(name: string, schema: Schema, isRequired: boolean, side: Side): string {
  const isPresent = isRequired || (side === 'server' && schema.default !== undefined);
  return `${formatReadonly(side)}${JSON.stringify(name)}${isPresent ? '' : '?'}: ${writeType(schema, side)};`;
}

function formatReadonly(side: Side): string {
  return side === 'client' ? '' : 'readonly ';
}
