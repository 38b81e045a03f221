/** A JSON Schema of the admin API's document, as far as the document uses the language. */
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
 * `client`: as it is sent and received. `server`: for handlers, with defaults filled in, and read-only, so that their
 * results may be read-only too.
 */
export type Side = 'client' | 'server';

/** The TypeScript type of what a schema admits: its shape only, no patterns or bounds. */
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

/** Keywords next to a `$ref` also apply: more properties, or required ones. */
function refined(base: string, { type, properties = {}, required = [] }: Schema, side: Side): string {
  // `type: object` next to a `$ref` to something that may be null.
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

/** A property or parameter. On the server's side, one with a default is always there. */
export function fieldType(name: string, schema: Schema, isRequired: boolean, side: Side): string {
  const isThere = isRequired || (side === 'server' && schema.default !== undefined);
  return `${readonly(side)}${JSON.stringify(name)}${isThere ? '' : '?'}: ${typeOf(schema, side)};`;
}

function readonly(side: Side): string {
  return side === 'client' ? '' : 'readonly ';
}
