import type { ErrorObject } from 'ajv';
import type { ErrorDetail } from '../error-codes.ts';
import { tableOf } from '../table-of.ts';

/** `value`: the keyword's value in the schema. `fields`: the known fields of the object. */
type Message = (value: unknown, fields: readonly string[]) => string;

const MESSAGES = tableOf<Message>({
  required: () => 'is required',
  additionalProperties: (_, fields) => `is not known here; known are ${fields.join(', ')}`,
  minProperties: (_, fields) => `must have at least one of ${fields.join(', ')}`,
  maxProperties: (value) => `must have at most ${String(value)} fields`,
  type: (value) => `must be ${[value].flat().map(typeInWords).join(' or ')}`,
  const: (value) => `must be ${JSON.stringify(value)}`,
  enum: (value) => `must be one of ${[value].flat().map(shown).join(', ')}`,
  minimum: (value) => `must be at least ${String(value)}`,
  maximum: (value) => `must be at most ${String(value)}`,
  exclusiveMinimum: (value) => `must be above ${String(value)}`,
  exclusiveMaximum: (value) => `must be below ${String(value)}`,
  minLength: (value) => `must have at least ${String(value)} characters`,
  maxLength: (value) => `must have at most ${String(value)} characters`,
  minItems: (value) => `must have at least ${String(value)} entries`,
  maxItems: (value) => `must have at most ${String(value)} entries`,
  format: () => 'must be an RFC 3339 date-time with its offset, such as 2026-12-24T09:00:00Z',
  pattern: (value) => PATTERNS.get(String(value)) ?? `must match ${String(value)}`,
});

/** What these keywords say in our own documents: each stands there for one rule. */
const OWN_MESSAGES = tableOf<Message>({
  propertyNames: () => 'has a name that is not 1 to 64 of A-Z, a-z, 0-9, _ . and -',
  not: () => 'must not hold an API key',
});

/** In words, the patterns of the document that are hard to read. */
const PATTERNS = tableOf({
  '^https?://[!-~]+$': 'must be a URL that begins with https:// or http://, in ASCII',
  '^[!-~]*$': 'must be printable ASCII, without spaces',
  '^[^\\x00-\\x1F\\x7F-\\x9F]*$': 'must be text without control characters',
  '^[!-~](?:[ -~]*[!-~])?$': 'must be printable ASCII, with no space at either end',
  '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$': 'must be an address such as ann@example.com, in ASCII',
  '^(?=\\s*\\S)[^\\x00-\\x1F\\x7F-\\x9F]+$': 'must be text without control characters, and not blank',
});

const TYPES = tableOf({ object: 'an object', array: 'a list', string: 'text', integer: 'a whole number' });

/**
 * Says what to change, in words that need no knowledge of JSON Schema. The value itself is never quoted.
 *
 * @param isOwn whether the schema is of a document of ours
 */
export function describe(error: ErrorObject, base: string, isOwn: boolean): ErrorDetail {
  const fields = Object.keys({ ...error.parentSchema?.['properties'] });
  const inWords = MESSAGES.get(error.keyword) ?? (isOwn ? OWN_MESSAGES.get(error.keyword) : undefined);
  const message = inWords?.(error.schema, fields) ?? 'is not valid';
  return { path: `${base}${error.instancePath}${fieldPath(error.params)}`, message };
}

/** The message belongs to the missing or unknown field itself; ajv points at the object around it. */
function fieldPath(params: Readonly<Record<string, unknown>>): string {
  const field = params['missingProperty'] ?? params['additionalProperty'];
  if (typeof field !== 'string') return '';
  return pointerStep(field);
}

/** One step of a JSON pointer (RFC 6901), cut short in case somebody sent an endless name. */
export function pointerStep(step: string | number): string {
  return `/${String(step).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeInWords(type: unknown): string {
  return TYPES.get(String(type)) ?? String(type);
}
