/** Why a rule was broken, as the end of a sentence that begins with the place. */
const WORDS: Readonly<Record<string, string>> = {
  required: 'is missing',
  type: 'has another type',
  enum: 'is none of the allowed values',
  const: 'is not the allowed value',
  minimum: 'is too small',
  exclusiveMinimum: 'is too small',
  maximum: 'is too large',
  exclusiveMaximum: 'is too large',
  multipleOf: 'is not a multiple of the allowed step',
  minLength: 'is too short',
  maxLength: 'is too long',
  pattern: 'does not match the pattern',
  format: 'has another format',
  minItems: 'has too few items',
  maxItems: 'has too many items',
  uniqueItems: 'has the same item twice',
  contains: 'lacks a required item',
  maxContains: 'has too many items of a kind',
  minProperties: 'has too few fields',
  maxProperties: 'has too many fields',
  additionalProperties: 'is a field that is not allowed',
  unevaluatedProperties: 'is a field that is not allowed',
  unevaluatedItems: 'is an item that is not allowed',
  propertyNames: 'has a field with a name that is not allowed',
  dependentRequired: 'lacks a field that another one requires',
  anyOf: 'fits none of the alternatives',
  oneOf: 'does not fit exactly one of the alternatives',
  not: 'matches a schema that is not allowed',
  style: 'is not in the described format',
  content: 'is not JSON as described',
  content_type: 'has another content type',
  not_json: 'is not JSON',
  duplicate_name: 'has the same field twice',
  invalid_utf8: 'is not UTF-8',
  byte_order_mark: 'begins with a byte order mark',
  too_complex: 'is too complex to check',
};

/** The name under which all other rules are counted. */
const OTHER = 'other';
/** If the next version has no such operation, all of its requests break this rule. */
const REMOVED = 'operation_removed';

const PLACES: Readonly<Record<string, string>> = {
  query: 'query parameter',
  path: 'path parameter',
  header: 'header',
  cookie: 'cookie',
};

export interface ViolationWords {
  /** `query parameter`, or empty. */
  readonly kind: string;
  /** The name or the pointer, shown as code; empty if there is none. */
  readonly place: string;
  /** `is missing`. */
  readonly words: string;
}

/** Describes a rule that requests broke. */
export function violationWords(rule: string, path: string): ViolationWords {
  if (rule === OTHER) return { kind: 'further rules', place: '', words: '' };
  if (rule === REMOVED) return { kind: 'the operation', place: '', words: 'no longer exists' };
  const words = Object.hasOwn(WORDS, rule) ? (WORDS[rule] as string) : `does not fit (${rule})`;
  if (path === '') return { kind: 'the body', place: '', words };
  const [, where = '', name = ''] = /^\/([a-z]+)\/([^/]+)$/.exec(path) ?? [];
  if (Object.hasOwn(PLACES, where)) {
    return { kind: PLACES[where] as string, place: name.replaceAll('~1', '/').replaceAll('~0', '~'), words };
  }
  return { kind: '', place: path, words };
}
