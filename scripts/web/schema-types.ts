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
export function typeOf(schema: Schema, side: Side): string {
  if (schema.$ref !== undefined) return refined(referenced(schema.$ref), schema, side);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice !== undefined) return choice.map((one) => `(${typeOf(one, side)})`).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${typeOf(one, side)})`).join(' & ');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : objectType(schema, side);
  return types.map((type) => plainType(type, schema, side)).join(' | ');
}

function referenced(ref: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1];
  if (name === undefined) throw new Error(`${ref} is not a schema of the document`);
  return `components['schemas']['${name}']`;
}

/** Applies the keywords next to a `$ref`, such as additional properties, or `required`. */
function refined(base: string, { type, properties = {}, required = [] }: Schema, side: Side): string {
  // A `$ref` may point to a nullable type. `type: object` next to it rules out null.
  const parts = [type === 'object' ? `NonNullable<${base}>` : base];
  if (Object.keys(properties).length > 0) parts.push(objectType({ properties, required }, side));
  const elsewhere = required.filter((name) => !Object.hasOwn(properties, name));
  if (elsewhere.length > 0) {
    parts.push(`Required<Pick<${base}, ${elsewhere.map((name) => JSON.stringify(name)).join(' | ')}>>`);
  }
  return parts.join(' & ');
}

function plainType(type: string, schema: Schema, side: Side): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `${readonly(side)}(${typeOf(schema.items ?? {}, side)})[]`;
  if (type === 'object') return objectType(schema, side);
  return type;
}

function objectType({ properties, required = [], additionalProperties }: Schema, side: Side): string {
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return side === 'client' ? 'Record<string, unknown>' : 'object';
    const values = typeOf(additionalProperties, side);
    return side === 'client' ? `Record<string, ${values}>` : `Readonly<Record<string, ${values}>>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldType(name, schema, required.includes(name), side),
  );
  return `{ ${fields.join(' ')} }`;
}

/** Writes a property or parameter. For the server, a property with a default is never optional. */
export function fieldType(name: string, schema: Schema, isRequired: boolean, side: Side): string {
  const isThere = isRequired || (side === 'server' && schema.default !== undefined);
  return `${readonly(side)}${JSON.stringify(name)}${isThere ? '' : '?'}: ${typeOf(schema, side)};`;
}

function readonly(side: Side): string {
  return side === 'client' ? '' : 'readonly ';
}
