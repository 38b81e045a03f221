import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from './errors.ts';

/** Formats a message. @param value the keyword's value in the schema @param fields the known fields of the object */
type Message = (value: unknown, fields: readonly string[]) => string;

const MESSAGES: Readonly<Record<string, Message>> = {
  required: () => 'is required',
  additionalProperties: (_, fields) => `is not a known field; use one of ${fields.join(', ')}`,
  minProperties: (_, fields) => `must have at least one of ${fields.join(', ')}`,
  type: (value) => `must be ${TYPE_NAMES[String(value)] ?? String(value)}`,
  exactInteger: (value) => `must be an integer ${formatRange({ ...Object(value) })}, in plain decimal digits`,
  enum: (value) => `must be one of ${[value].flat().join(', ')}`,
  minLength: (value) => `must have at least ${formatCount(value, 'character')}`,
  maxLength: (value) => `must have at most ${formatCount(value, 'character')}`,
  maxItems: (value) => `must be given at most ${formatCount(value, 'time')}`,
  format: () => 'must be an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** Describes how to correct a value, in words that need no knowledge of JSON Schema. */
export function describeError(error: ErrorObject, base: string): ErrorDetail {
  const fields = Object.keys({ ...error.parentSchema?.properties });
  const message = MESSAGES[error.keyword]?.(error.schema, fields) ?? 'is not valid';
  return { path: `${base}${error.instancePath}${formatFieldPath(error.params)}`, message };
}

/** The step from the object that Ajv reports to the missing or unknown field in it. */
function formatFieldPath(params: Readonly<Record<string, unknown>>): string {
  const field = params.missingProperty ?? params.additionalProperty;
  return typeof field === 'string' ? `/${formatPointerStep(field)}` : '';
}

/** Escapes a name as one step of a JSON pointer (RFC 6901). A very long name is cut off. */
export function formatPointerStep(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

const formatRange = ({ minimum, maximum }: Record<string, unknown>): string =>
  `from ${String(minimum)} to ${String(maximum)}`;

const formatCount = (number: unknown, noun: string): string => `${Number(number)} ${noun}${number === 1 ? '' : 's'}`;
