import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isDateTime } from './datetime.ts';
import type { Schema } from './document.ts';
import type { ErrorDetail } from './errors.ts';
import { INT64_MAX, INT64_MIN } from './int64.ts';
import { describeError } from './messages.ts';

/** Maximum number of details of an error. More would not help, and a hostile request could cause very many. */
export const MAX_DETAILS = 20;

/** Lists the errors of a value, at paths that start with `base`; undefined if it is valid. */
export type Validator = (value: unknown, base: string) => ErrorDetail[] | undefined;

// Schemas are not validated first, because compiling a schema finds its errors anyway. Validation would also need the
// meta-schema, and compiling that takes longer than compiling all of our schemas.
const ajv = new Ajv2020({ strict: true, strictTypes: true, allErrors: true, verbose: true, validateSchema: false });
ajv.addVocabulary(['example']);
ajv.addFormat('date-time', isDateTime);
ajv.addKeyword({
  keyword: 'exactInteger',
  schemaType: 'object',
  errors: false,
  compile:
    ({ minimum, maximum }: { minimum: bigint; maximum: bigint }) =>
    (value: unknown) =>
      typeof value === 'bigint' && value >= minimum && value <= maximum,
});

/** Compiles a schema without references, for values whose integers are BigInt (as `parseJson` makes them). */
export function compile(schema: Schema): Validator {
  const validate = compileOnce(schema);
  return (value, base) => {
    if (validate(value)) return undefined;
    return validate.errors!.slice(0, MAX_DETAILS).map((error) => describeError(error, base));
  };
}

/** Compiles equal schemas only once. Many parameters have the same schema, and compiling takes a millisecond or more. */
function compileOnce(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema);
  let validate = compiled.get(text);
  if (validate === undefined) compiled.set(text, (validate = ajv.compile(withExactIntegers(schema))));
  return validate;
}

const compiled = new Map<string, ValidateFunction>();

/** Collects the defaults of schemas, by the names of the schemas. Integers are BigInt. */
export function collectDefaults(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(schemas).filter(([, schema]) => schema.default !== undefined);
  return Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      schema.type === 'integer' ? BigInt(Number(schema.default)) : schema.default,
    ]),
  );
}

/** Replaces `type: integer` with the keyword `exactInteger` and the same bounds, because Ajv's `integer` refuses BigInt. */
function withExactIntegers<Part>(part: Part): Part;
function withExactIntegers(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => withExactIntegers(item));
  if (typeof part !== 'object' || part === null) return part;
  if ('type' in part && part.type === 'integer') return toExactInteger(part);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withExactIntegers<unknown>(value)]));
}

type IntegerSchema = { [keyword in 'type' | 'format' | 'minimum' | 'maximum']?: unknown };

function toExactInteger({ type: _type, format: _format, minimum, maximum, ...rest }: IntegerSchema): object {
  const bounds = {
    minimum: minimum === undefined ? INT64_MIN : BigInt(Number(minimum)),
    maximum: maximum === undefined ? INT64_MAX : BigInt(Number(maximum)),
  };
  return { ...rest, exactInteger: bounds };
}
