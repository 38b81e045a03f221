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
}

/** The TypeScript type of what a schema admits: its shape only, no patterns or bounds. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return refined(referenced(schema.$ref), schema);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice !== undefined) return choice.map((one) => `(${typeOf(one)})`).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : objectType(schema);
  return types.map((type) => plainType(type, schema)).join(' | ');
}

function referenced(ref: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1];
  if (name === undefined) throw new Error(`${ref} is not a schema of the document`);
  return `components['schemas']['${name}']`;
}

/** What stands beside a `$ref` holds as well: more properties, or properties that are required here. */
function refined(base: string, { properties = {}, required = [] }: Schema): string {
  const parts = [base];
  if (Object.keys(properties).length > 0) parts.push(objectType({ properties, required }));
  const elsewhere = required.filter((name) => !Object.hasOwn(properties, name));
  if (elsewhere.length > 0) {
    parts.push(`Required<Pick<${base}, ${elsewhere.map((name) => JSON.stringify(name)).join(' | ')}>>`);
  }
  return parts.join(' & ');
}

function plainType(type: string, schema: Schema): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
  if (type === 'object') return objectType(schema);
  return type;
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{ ${fields.join(' ')} }`;
}
