import type { ErrorObject } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { type ErrorDetail, MAX_DETAILS } from './error-details.ts';
import { findNearest } from './portable/nearest.ts';
import { findTextFaults, pluralize } from './text.ts';
import { escapePointerStep, formatPointerStep, isObject, type JsonObject } from './json.ts';
import { isDateTime } from './time.ts';
import { tableOf } from './table-of.ts';

/** Validates a value. Returns its errors, with paths that start with `base`, or undefined if it is valid. */
export type Validator = (value: unknown, base: string) => ErrorDetail[] | undefined;

const DOCUMENT = 'api';

/**
 * `own` are the gateway's own schemas: they are compiled strictly, and validating fills in defaults. `others` are
 * schemas of services: unknown keywords are ignored, and so are all formats except `date-time`.
 */
type DocumentOrigin = 'own' | 'others';

/** With `ownProperties`, an inherited property such as `constructor` does not count as present. */
const COMMON_OPTIONS: Options = { allErrors: true, verbose: true, ownProperties: true };
const OPTIONS: Readonly<Record<DocumentOrigin, Options>> = {
  // Only the tests validate these schemas themselves, because that takes as long as everything else together.
  own: { ...COMMON_OPTIONS, useDefaults: true, allowUnionTypes: true, meta: false, validateSchema: false },
  // Do not inline references: deciding whether one can be inlined takes time exponential in the depth of lists.
  others: { ...COMMON_OPTIONS, strict: false, validateSchema: false, logger: false, inlineRefs: false },
};

/**
 * Compiles the schemas of an OpenAPI document. Schemas of services are compiled immediately, so that their errors are
 * reported at the start. The gateway's own schemas are compiled on first use, because there are hundreds, and the tests
 * cover each of them.
 */
export class Schemas {
  readonly #document: JsonObject;
  readonly #origin: DocumentOrigin;
  #ajv: Ajv2020 | null = null;

  constructor(document: JsonObject, origin: DocumentOrigin = 'own') {
    // Use objects without prototypes, so that `#/components/schemas/constructor` resolves to nothing unless there is
    // such a schema.
    this.#document = origin === 'own' ? document : (withoutPrototypes(document) as JsonObject);
    this.#origin = origin;
    if (origin === 'others') this.#compiler();
  }

  /** Creates the compiler in advance, which is the slowest part of the first validation. */
  prepare(): void {
    this.#compiler();
  }

  /**
   * Creates the validator for a schema of the document. @param pointer the steps from the document's root to the schema
   * @throws Error if there is no schema at that place, or if the schema refers to something missing
   */
  at(pointer: readonly string[]): Validator {
    return this.compile(referTo(pointer));
  }

  /** Creates the validator for a schema. @param schema its references must all be from `referTo` */
  compile(schema: JsonObject): Validator {
    const isOwn = this.#origin === 'own';
    let validate = isOwn ? null : this.#compiler().compile(schema);
    return (value, base) => {
      validate ??= this.#compiler().compile(schema);
      try {
        if (validate(value)) return undefined;
      } catch (error) {
        // A schema that refers to itself in an `allOf` can be compiled, but its validation recurses endlessly.
        if (isOwn) throw error;
        return [{ path: base, message: `cannot be validated, because its schema failed: ${String(error)}` }];
      }
      // Report only one error per location, because one mistake may violate several keywords, such as `type` and
      // `enum`.
      const details = new Map<string, ErrorDetail>();
      for (const error of validate.errors ?? []) {
        // The errors of `then` or `else` say what is wrong.
        if (isOwn && error.keyword === 'if') continue;
        const detail = describeError(error, base, isOwn);
        if (details.size < MAX_DETAILS && !details.has(detail.path)) details.set(detail.path, detail);
      }
      return [...details.values()];
    };
  }

  #compiler(): Ajv2020 {
    if (this.#ajv !== null) return this.#ajv;
    const ajv = new Ajv2020(OPTIONS[this.#origin]);
    // These keywords are from OpenAPI, not from JSON Schema.
    ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components']);
    ajv.addKeyword(ANY_TEXT);
    // These tables must not inherit anything, because a format or an `$id` may be called `constructor`.
    for (const table of [ajv.formats, ajv.schemas, ajv.refs]) Object.setPrototypeOf(table, null);
    ajv.addFormat('date-time', isDateTime);
    ajv.addSchema(this.#document, DOCUMENT);
    this.#ajv = ajv;
    return ajv;
  }
}

/**
 * Keyword in the gateway's own schemas for a field that is passed on unchanged, so its strings may contain any
 * characters.
 */
const ANY_TEXT = 'x-any-text';

/**
 * Extends a validator to refuse strings with forbidden characters (see `findTextFaults`). Strings are checked only if the
 * value is otherwise valid.
 *
 * @param schema the schema of the value; its direct fields marked with `x-any-text` are not checked
 */
export function withTextChecked(validate: Validator, schema: unknown): Validator {
  const fields = Object.entries(Object(Object(schema).properties) as Record<string, JsonObject>);
  const anyText = new Set(fields.filter(([, field]) => field[ANY_TEXT] === true).map(([name]) => name));
  return (value, base) => {
    const details = validate(value, base);
    if (details !== undefined) return details;
    const checkedValue = isObject(value) && anyText.size > 0 ? omitFields(value, anyText) : value;
    const faults = findTextFaults(checkedValue).slice(0, MAX_DETAILS);
    if (faults.length === 0) return undefined;
    return faults.map(({ at, message }) => ({ path: base + at.map(formatPointerStep).join(''), message }));
  };
}

function omitFields(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

export function referTo(pointer: readonly string[]): { $ref: string } {
  const steps = pointer.map((step) => encodeURIComponent(escapePointerStep(step)));
  return { $ref: `${DOCUMENT}#/${steps.join('/')}` };
}

function withoutPrototypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPrototypes);
  if (!isObject(node)) return node;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(node)) copy[key] = withoutPrototypes(value);
  return copy;
}

/** `value`: the keyword's value in the schema. `fields`: the known fields of the object. `given`: the invalid value. */
type Message = (value: unknown, fields: readonly string[], given: unknown) => string;

const MESSAGES = tableOf<Message>({
  required: () => 'is required',
  additionalProperties: (_, fields) => `is unknown; use one of ${fields.join(', ')}`,
  minProperties: (_, fields) => `must have at least one of ${fields.join(', ')}`,
  maxProperties: (value) => `must have at most ${pluralize(Number(value), 'field')}`,
  type: (value) => `must be ${[value].flat().map(describeType).join(' or ')}`,
  const: (value) => `must be ${JSON.stringify(value)}`,
  enum: (value, _, given) => formatChoices([value].flat().map(formatValue), given),
  minimum: (value) => `must be at least ${String(value)}`,
  maximum: (value) => `must be at most ${String(value)}`,
  exclusiveMinimum: (value) => `must be greater than ${String(value)}`,
  exclusiveMaximum: (value) => `must be less than ${String(value)}`,
  minLength: (value) => `must have at least ${pluralize(Number(value), 'character')}`,
  maxLength: (value) => `must have at most ${pluralize(Number(value), 'character')}`,
  minItems: (value) => `must have at least ${pluralize(Number(value), 'entry', 'entries')}`,
  maxItems: (value) => `must have at most ${pluralize(Number(value), 'entry', 'entries')}`,
  format: () => 'must be an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z',
  pattern: (value) => PATTERNS.get(String(value)) ?? `must match ${String(value)}`,
});

/** Messages for keywords that the gateway's own documents use for only one rule each. */
const OWN_MESSAGES = tableOf<Message>({
  propertyNames: () => 'has a name that is not 1 to 64 characters of A-Z, a-z, 0-9, _ . and -',
  not: () => 'must not contain an API key',
});

/** Plain descriptions of regular expressions in the gateway's own documents. */
const PATTERNS = tableOf({
  '^https?://[!-~]+$': 'must be a URL that starts with https:// or http://, in ASCII',
  '^[!-~]*$': 'must be printable ASCII, without spaces',
  '^[^\\x00-\\x1F\\x7F-\\x9F]*$': 'must be text without control characters',
  '^[!-~](?:[ -~]*[!-~])?$': 'must be printable ASCII without leading or trailing spaces',
  '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$': 'must be an email address such as ann@example.com, in ASCII',
  '^(?=\\s*\\S)[^\\x00-\\x1F\\x7F-\\x9F]+$': 'must be text without control characters, and not blank',
});

const TYPES = tableOf({ object: 'an object', array: 'a list', string: 'text', integer: 'a whole number' });

/**
 * Describes an error in words that require no knowledge of JSON Schema. Never quotes the value.
 *
 * @param isOwn whether the schema is from a document of the gateway
 */
function describeError(error: ErrorObject, base: string, isOwn: boolean): ErrorDetail {
  const fields = Object.keys({ ...error.parentSchema?.['properties'] });
  const formatMessage = MESSAGES.get(error.keyword) ?? (isOwn ? OWN_MESSAGES.get(error.keyword) : undefined);
  const message = formatMessage?.(error.schema, fields, error.data) ?? 'is not valid';
  return { path: `${base}${error.instancePath}${formatFieldPath(error.params)}`, message };
}

/** The path from the reported object to the field. For a missing or unknown field, ajv reports the enclosing object. */
function formatFieldPath(params: Readonly<Record<string, unknown>>): string {
  const field = params['missingProperty'] ?? params['additionalProperty'];
  if (typeof field !== 'string') return '';
  return formatPointerStep(field);
}

/** Above this many allowed values, the message suggests the nearest one instead of listing all. */
const MAX_LISTED = 10;

function formatChoices(values: readonly string[], given: unknown): string {
  const suggestion = values.length > MAX_LISTED && typeof given === 'string' ? findNearest(given, values) : null;
  return suggestion === null ? `must be one of ${values.join(', ')}` : `is unknown (did you mean ${suggestion}?)`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function describeType(type: unknown): string {
  return TYPES.get(String(type)) ?? String(type);
}
