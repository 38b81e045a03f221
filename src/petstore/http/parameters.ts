import type { Parameter } from './document.ts';
import { ApiError, PetStoreStartError, type ErrorDetail } from './errors.ts';
import { parseInt64 } from './int64.ts';
import { formatPointerStep } from './messages.ts';
import { compile, collectDefaults, MAX_DETAILS, type Validator } from './validation.ts';

export type PathReader = (texts: Readonly<Record<string, string | undefined>>) => Record<string, bigint>;
/** Reads the part of a URL after the `?`. */
export type QueryReader = (search: string) => Readonly<Record<string, unknown>>;

/** Compiles a reader that validates the path parameters of an operation, all of which are int64. */
export function createPathReader(parameters: readonly Parameter[]): PathReader {
  const known = parameters.filter((parameter) => parameter.in === 'path').map((one) => compileParameter(one));
  return (texts) => {
    const values: Record<string, bigint> = {};
    for (const { name, validate } of known) {
      const text = texts[name] ?? '';
      const value = parseInt64(text);
      const details = validate(value ?? text, `/path/${name}`);
      if (value === undefined || details) throw new ApiError('validation_failed', undefined, { details });
      values[name] = value;
    }
    return values;
  };
}

/** Compiles a reader that validates the query of an operation. It refuses unknown and repeated parameters. */
export function createQueryReader(parameters: readonly Parameter[]): QueryReader {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const known = new Map(query.map((parameter) => [parameter.name, compileParameter(parameter)]));
  const defaults = collectDefaults(Object.fromEntries(query.map((one) => [one.name, one.schema])));
  return (search) => {
    if (search === '') return defaults;
    const values = { ...defaults };
    const details: ErrorDetail[] = [];
    const searchParams = new URLSearchParams(search);
    for (const name of new Set(searchParams.keys())) {
      const parameter = known.get(name);
      const faults = parameter
        ? readParameter(values, parameter, searchParams.getAll(name))
        : [describeUnknownParameter(name, known)];
      details.push(...(faults ?? []));
    }
    if (details.length > 0) {
      throw new ApiError('validation_failed', undefined, { details: details.slice(0, MAX_DETAILS) });
    }
    return values;
  };
}

interface CompiledParameter {
  name: string;
  repeatable: boolean;
  /** Parses a text. A text that cannot be parsed is returned unchanged, so that the validator refuses it. */
  read: (text: string) => unknown;
  validate: Validator;
}

function compileParameter({ name, schema }: Parameter): CompiledParameter {
  const repeatable = schema.type === 'array';
  const type = repeatable ? schema.items?.type : schema.type;
  if (type !== 'integer' && type !== 'string') {
    throw new PetStoreStartError(`OpenAPI document: parameter ${name} has type ${type}, which nothing reads`);
  }
  const read = (text: string) => (type === 'integer' ? (parseInt64(text) ?? text) : text);
  return { name, repeatable, read, validate: compile(schema) };
}

function readParameter(
  values: Record<string, unknown>,
  { name, repeatable, read, validate }: CompiledParameter,
  texts: string[],
): ErrorDetail[] | undefined {
  const path = `/query/${name}`;
  if (!repeatable && texts.length > 1) return [{ path, message: 'must be given only once' }];
  values[name] = repeatable ? texts.map(read) : read(texts[0]!);
  return validate(values[name], path);
}

function describeUnknownParameter(name: string, known: ReadonlyMap<string, unknown>): ErrorDetail {
  const names = [...known.keys()];
  const hint = names.length > 0 ? `use one of ${names.join(', ')}` : 'there are none here';
  return { path: `/query/${formatPointerStep(name)}`, message: `is not a known parameter; ${hint}` };
}
