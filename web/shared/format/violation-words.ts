/**
 * The ends of sentences that say how a request broke a rule. The sentences begin with a place ("query parameter
 * limit").
 */
const RULE_WORDS: Readonly<Record<string, string>> = {
  required: 'is missing',
  type: 'has the wrong type',
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
  format: 'has the wrong format',
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
  content_type: 'has the wrong content type',
  not_json: 'is not JSON',
  duplicate_name: 'has the same field twice',
  invalid_utf8: 'is not UTF-8',
  byte_order_mark: 'begins with a byte order mark',
  too_complex: 'is too complex to check',
};

/** The name under which the API counts all further rules together. */
const OTHER_RULES = 'other';
/** The rule that every request breaks if the next version of the document has no such operation. */
const REMOVED_OPERATION = 'operation_removed';

const PARAMETER_KINDS: Readonly<Record<string, string>> = {
  query: 'query parameter',
  path: 'path parameter',
  header: 'header',
  cookie: 'cookie',
};

export interface ViolationWords {
  /** The kind of place, such as `query parameter`. May be empty. */
  readonly kind: string;
  /** The parameter's name or a JSON pointer, shown as code. Empty if the rule names no place. */
  readonly place: string;
  /** The end of the sentence, such as `is missing`. */
  readonly words: string;
}

/** Describes in words a rule that requests broke. */
export function describeViolation(rule: string, path: string): ViolationWords {
  if (rule === OTHER_RULES) return { kind: 'further rules', place: '', words: '' };
  if (rule === REMOVED_OPERATION) return { kind: 'the operation', place: '', words: 'no longer exists' };
  const words = Object.hasOwn(RULE_WORDS, rule) ? (RULE_WORDS[rule] as string) : `does not fit (${rule})`;
  if (path === '') return { kind: 'the body', place: '', words };
  const [, where = '', name = ''] = /^\/([a-z]+)\/([^/]+)$/.exec(path) ?? [];
  if (Object.hasOwn(PARAMETER_KINDS, where)) {
    return { kind: PARAMETER_KINDS[where] as string, place: name.replaceAll('~1', '/').replaceAll('~0', '~'), words };
  }
  return { kind: '', place: path, words };
}
