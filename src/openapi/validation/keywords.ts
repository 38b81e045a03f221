import { isObject, type JsonObject } from '../../base/json.ts';
import { pluralize } from '../../base/text.ts';
import { objectAt } from '../components.ts';
import { canonicalText, toJsonValue } from './canonical.ts';
import { compare, decimalForm, ExactNumber, isInteger, isMultiple } from './decimal.ts';
import { Evaluated } from './evaluated.ts';
import { NUMBER_FORMATS, TEXT_FORMATS } from './formats.ts';
import { describeTypes, listValues, shorten } from './messages.ts';
import type { Pattern, Patterns } from './patterns.ts';
import { type JsonMap, type JsonValue, type TypeName, typeName } from './read-json.ts';
import type { Run, Schema } from './run.ts';

/** Checks a value that has one of the types that the keyword applies to. Reports a violation unless it is a trial. */
type Check<Value> = (value: Value, run: Run, seen: Evaluated | null) => boolean;
/** `decides`: other keywords are not checked if this one fails. */
export type Keyword = Check<never> & { decides?: boolean };

/** The keywords of a schema that apply to values of each type. */
export interface Keywords {
  readonly byType: Readonly<Record<TypeName, readonly Keyword[]>>;
  /** Whether a keyword needs to know what the others have evaluated (`unevaluatedProperties`, `unevaluatedItems`). */
  readonly needsEvaluated: boolean;
}

/** The other schemas of the document. */
interface Schemas {
  /** Whether the schemas are those of OpenAPI 3.0, which have some keywords of JSON Schema draft 4. */
  readonly is30: boolean;
  readonly patterns: Patterns;
  /** The node of a schema that is a part of the document. */
  node(schema: unknown): Schema;
  /** The schemas below some keywords of a schema, which may hold one schema, a list or a map. */
  nodes(schema: unknown, keywords: readonly string[]): Schema[];
  /** The schema that a `$ref` refers to. */
  referredBy(reference: string): Schema;
  /** Whether null is valid, whatever the other fields say. */
  isNullable(schema: JsonObject): boolean;
}

type Numeric = number | ExactNumber;
type List = readonly JsonValue[];

/** The keywords of a schema that was found to have no fault. */
export function compileKeywords(schema: unknown, set: Schemas): Keywords {
  if (schema === false) return { byType: forEachType([REFUSE]), needsEvaluated: false };
  if (!isObject(schema)) return ANYTHING;
  const isReference = typeof schema['$ref'] === 'string';
  // In OpenAPI 3.0, fields next to a reference are ignored.
  const own: JsonObject = set.is30 && isReference ? { $ref: schema['$ref'] } : schema;
  const [items, properties] = [own['unevaluatedItems'], own['unevaluatedProperties']];
  const first = [checkType(own), checkEnum(own)].filter((check) => check !== null);
  const last = checksInPlace(own, set);
  const common = [...first, ...last];
  // Most schemas have one type, so the lists of the others are shared.
  const withOwn = (checks: Keyword[], others: Keyword[] = []) =>
    checks.length + others.length === 0 ? common : [...first, ...checks, ...last, ...others];
  const ofLists = items === undefined ? [] : [checkUnevaluatedItems(items, set)];
  const ofObjects = properties === undefined ? [] : [checkUnevaluatedProperties(properties, set)];
  const byType = {
    null: set.isNullable(own) ? NO_KEYWORDS : common,
    boolean: common,
    string: withOwn(checksOfText(own, set)),
    number: withOwn(checksOfNumbers(own)),
    array: withOwn(checksOfLists(own, set), ofLists),
    object: withOwn(checksOfObjects(own, set), [...dependencies(own, set), ...ofObjects]),
  };
  return { byType, needsEvaluated: items !== undefined || properties !== undefined };
}

const NO_KEYWORDS: readonly Keyword[] = [];
const REFUSE: Keyword = (_value: JsonValue, run: Run) => run.fail('not_allowed', 'is not allowed');

function forEachType(keywords: readonly Keyword[]): Keywords['byType'] {
  return { null: keywords, boolean: keywords, string: keywords, number: keywords, array: keywords, object: keywords };
}

const ANYTHING: Keywords = { byType: forEachType(NO_KEYWORDS), needsEvaluated: false };

function checkType({ type }: JsonObject): Keyword | null {
  if (type === undefined) return null;
  const types = new Set([type].flat());
  const message = `must be ${describeTypes([...types])}`;
  const allowsFractions = types.has('number');
  const allowsIntegers = types.has('integer');
  const check: Keyword = (value: JsonValue, run: Run) => {
    const name = typeName(value);
    const isValid =
      name === 'number' ? allowsFractions || (allowsIntegers && isInteger(value as Numeric)) : types.has(name);
    return isValid || run.fail('type', message);
  };
  check.decides = true;
  return check;
}

function checkEnum({ enum: values, const: only }: JsonObject): Keyword | null {
  const hasConst = only !== undefined;
  const lists = [Array.isArray(values) ? (values as unknown[]) : [], hasConst ? [only] : []];
  const checks = lists.map((list, index) => {
    if (index === 0 ? !Array.isArray(values) : !hasConst) return null;
    const rule = index === 0 ? 'enum' : 'const';
    const message = index === 0 ? `must be one of ${listValues(list)}` : `must be ${listValues(list)}`;
    if (list.every((value) => typeof value === 'string')) {
      const strings = new Set<unknown>(list);
      return (value: JsonValue, run: Run) => strings.has(value) || run.fail(rule, message);
    }
    const texts = new Set(list.map((value) => canonicalText(toJsonValue(value))));
    return (value: JsonValue, run: Run) => {
      spendOn(value, run);
      return texts.has(canonicalText(value)) || run.fail(rule, message);
    };
  });
  const [one, other] = checks.filter((check) => check !== null);
  if (one === undefined) return null;
  const check: Keyword = other === undefined ? one : (value, run) => one(value, run) && other(value, run);
  check.decides = true;
  return check;
}

/** Charges for work in proportion to the size of a value. */
function spendOn(value: JsonValue, run: Run): void {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return;
  const parts = value instanceof Map ? value.values() : (value as List);
  run.spend(4);
  for (const part of parts as Iterable<JsonValue>) {
    run.spend(2);
    spendOn(part, run);
  }
}

const BOUNDS: readonly (readonly [string, string, (order: number) => boolean])[] = [
  ['minimum', 'must be at least', (order) => order >= 0],
  ['maximum', 'must be at most', (order) => order <= 0],
  ['exclusiveMinimum', 'must be greater than', (order) => order > 0],
  ['exclusiveMaximum', 'must be less than', (order) => order < 0],
];

function checksOfNumbers(schema: JsonObject): Keyword[] {
  const checks: Keyword[] = [];
  const { multipleOf, format } = schema;
  for (const [keyword, words, isWithin] of BOUNDS) {
    // In OpenAPI 3.0, an exclusive bound is a mark on the other one.
    const exclusiveKeyword = `exclusive${keyword.charAt(0).toUpperCase()}${keyword.slice(1)}`;
    const isExclusive = schema[exclusiveKeyword] === true;
    const limit = schema[keyword];
    if (typeof limit !== 'number') continue;
    const rule = isExclusive ? exclusiveKeyword : keyword;
    const isValid = isExclusive ? (order: number) => isWithin(order) && order !== 0 : isWithin;
    const message = `${isExclusive ? (keyword === 'minimum' ? 'must be greater than' : 'must be less than') : words} ${limit}`;
    checks.push((value: Numeric, run: Run) => {
      spendOnNumber(value, run);
      return isValid(compareWithLimit(value, limit)) || run.fail(rule, message);
    });
  }
  if (typeof multipleOf === 'number') {
    const divisor = decimalForm(multipleOf);
    const message = `must be a multiple of ${multipleOf}`;
    checks.push((value: Numeric, run: Run) => {
      run.spend(STEPS_PER_EXACT_NUMBER);
      return isMultiple(decimalForm(value), divisor) || run.fail('multipleOf', message);
    });
  }
  const known = typeof format === 'string' ? NUMBER_FORMATS.get(format) : undefined;
  if (known !== undefined) {
    const message = `must be ${known.words}`;
    checks.push((value: Numeric, run: Run) => {
      spendOnNumber(value, run);
      return known.test(value) || run.fail('format', message);
    });
  }
  return checks;
}

/** Computing with the digits of a number takes longer than computing with a JavaScript number. */
const STEPS_PER_EXACT_NUMBER = 10;

function spendOnNumber(value: Numeric, run: Run): void {
  if (typeof value !== 'number') run.spend(STEPS_PER_EXACT_NUMBER);
}

function compareWithLimit(value: Numeric, limit: number): number {
  return typeof value === 'number' ? value - limit : compare(value.decimal, decimalForm(limit));
}

/** Formats and patterns read each character. Texts up to this length count as one step. */
const CHARACTERS_PER_STEP = 64;

function checksOfText(schema: JsonObject, set: Schemas): Keyword[] {
  const checks: Keyword[] = [];
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof minLength === 'number') {
    const message = `must have at least ${pluralize(minLength, 'character')}`;
    checks.push(
      (value: string, run: Run) =>
        // A character has at most two units, so most texts need not be read.
        value.length >= 2 * minLength || lengthIn(value) >= minLength || run.fail('minLength', message),
    );
  }
  if (typeof maxLength === 'number') {
    const message = `must have at most ${pluralize(maxLength, 'character')}`;
    checks.push(
      (value: string, run: Run) =>
        value.length <= maxLength || lengthIn(value) <= maxLength || run.fail('maxLength', message),
    );
  }
  const known = typeof format === 'string' ? TEXT_FORMATS.get(format) : undefined;
  if (known !== undefined) {
    const message = `must be ${known.words}`;
    checks.push((value: string, run: Run) => {
      run.spend(value.length / CHARACTERS_PER_STEP);
      return known.test(value) || run.fail('format', message);
    });
  }
  if (typeof pattern === 'string') {
    const compiled = set.patterns.find(pattern) as Pattern;
    const message = `must match ${shorten(pattern)}`;
    checks.push((value: string, run: Run) => testPattern(compiled, value, run) || run.fail('pattern', message));
  }
  return checks;
}

const STEPS_PER_PATTERN = 8;

function testPattern(pattern: Pattern, text: string, run: Run): boolean {
  run.spend(STEPS_PER_PATTERN + text.length * pattern.stepsPerCharacter);
  return pattern.test(text);
}

/** The number of characters (code points). */
function lengthIn(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if (isSurrogate(text, at, 0xd800) && isSurrogate(text, at + 1, 0xdc00)) {
      length--;
      at++;
    }
  }
  return length;
}

function isSurrogate(text: string, at: number, first: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === first;
}

function checksOfLists(schema: JsonObject, set: Schemas): Keyword[] {
  const checks: Keyword[] = [];
  const { minItems, maxItems, uniqueItems, contains } = schema;
  if (typeof minItems === 'number') {
    const message = `must have at least ${pluralize(minItems, 'entry', 'entries')}`;
    checks.push((value: List, run: Run) => value.length >= minItems || run.fail('minItems', message));
  }
  if (typeof maxItems === 'number') {
    const message = `must have at most ${pluralize(maxItems, 'entry', 'entries')}`;
    checks.push((value: List, run: Run) => value.length <= maxItems || run.fail('maxItems', message));
  }
  const items = checkItems(schema, set);
  if (items !== null) checks.push(items);
  if (uniqueItems === true) {
    checks.push((value: List, run: Run) => {
      spendOn(value, run);
      return (
        new Set(value.map(canonicalText)).size === value.length ||
        run.fail('uniqueItems', 'must not have two equal entries')
      );
    });
  }
  if (contains !== undefined) checks.push(checkContains(schema, set.node(contains)));
  return checks;
}

function checkItems(schema: JsonObject, set: Schemas): Check<List> | null {
  const { items, prefixItems, additionalItems } = schema;
  // Lists of schemas in `items` are from earlier drafts, as `additionalItems` is.
  const isOld = Array.isArray(items);
  const list: unknown = isOld ? items : prefixItems;
  const rest: unknown = isOld ? additionalItems : items;
  const first = Array.isArray(list) ? list.map((each) => set.node(each)) : [];
  const others = rest === undefined ? null : set.node(rest);
  if (first.length === 0 && others === null) return null;
  return (value, run, seen) => {
    let isValid = true;
    for (let index = 0; index < value.length; index++) {
      const node = first[index] ?? others;
      if (node === null) break;
      if (run.below(index, false, node, value[index] as JsonValue)) continue;
      isValid = false;
      if (run.stopsEarly) return false;
    }
    if (seen !== null) seen.itemCount = Math.max(seen.itemCount, others === null ? first.length : value.length);
    return isValid;
  };
}

function checkContains({ minContains, maxContains }: JsonObject, node: Schema): Check<List> {
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  return (value, run, seen) => {
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!run.matchesBelow(index, node, item)) continue;
      count++;
      seen?.indexes.add(index);
    }
    if (count < least) {
      return run.fail(
        minContains === undefined ? 'contains' : 'minContains',
        `must have at least ${pluralize(least, 'entry', 'entries')} of a certain kind`,
      );
    }
    return (
      count <= most ||
      run.fail('maxContains', `must have at most ${pluralize(most, 'entry', 'entries')} of a certain kind`)
    );
  };
}

function checksOfObjects(schema: JsonObject, set: Schemas): Keyword[] {
  const checks: Keyword[] = [];
  const { minProperties, maxProperties, propertyNames, required } = schema;
  if (typeof minProperties === 'number') {
    const message = `must have at least ${pluralize(minProperties, 'field')}`;
    checks.push((value: JsonMap, run: Run) => value.size >= minProperties || run.fail('minProperties', message));
  }
  if (typeof maxProperties === 'number') {
    const message = `must have at most ${pluralize(maxProperties, 'field')}`;
    checks.push((value: JsonMap, run: Run) => value.size <= maxProperties || run.fail('maxProperties', message));
  }
  if (Array.isArray(required) && required.length > 0) checks.push(checkRequired(required as string[]));
  const properties = checkProperties(schema, set);
  if (properties !== null) checks.push(properties);
  if (propertyNames !== undefined) {
    const node = set.node(propertyNames);
    checks.push((value: JsonMap, run: Run) => {
      let isValid = true;
      for (const name of value.keys()) {
        if (run.matchesBelow(name, node, name)) continue;
        isValid = run.failBelow(name, false, 'propertyNames', 'has a name that is not allowed');
        if (run.stopsEarly) break;
      }
      return isValid;
    });
  }
  return checks;
}

function checkRequired(names: readonly string[]): Check<JsonMap> {
  return (value, run) => {
    let isValid = true;
    run.spend(names.length / 4);
    for (const name of names) {
      if (value.has(name) || run.location?.readOnlyNames().has(name) === true) continue;
      isValid = run.failBelow(name, true, 'required', 'is required');
      if (run.stopsEarly) break;
    }
    return isValid;
  };
}

function checkProperties(schema: JsonObject, set: Schemas): Check<JsonMap> | null {
  const declared = new Map(
    Object.entries(objectAt(schema, 'properties')).map(([name, each]) => [name, set.node(each)]),
  );
  const patterns = Object.entries(objectAt(schema, 'patternProperties')).map(
    ([pattern, each]) => [set.patterns.find(pattern) as Pattern, set.node(each)] as const,
  );
  const { additionalProperties } = schema;
  const isClosed = additionalProperties === false;
  const others = additionalProperties === undefined ? null : set.node(additionalProperties);
  if (declared.size === 0 && patterns.length === 0 && others === null) return null;
  const names = [...declared.keys()];
  const message = names.length === 0 ? 'is not allowed' : `is unknown; use one of ${listValues(names)}`;
  return (value, run, seen) => {
    let isValid = true;
    for (const [name, member] of value) {
      run.spend(1);
      const node = declared.get(name);
      let isMatched = node !== undefined;
      let isMemberValid = node === undefined || run.below(name, true, node, member);
      for (const [pattern, one] of patterns) {
        if (!testPattern(pattern, name, run)) continue;
        isMatched = true;
        isMemberValid = run.below(name, false, one, member) && isMemberValid;
      }
      if (!isMatched && others !== null) {
        isMatched = true;
        isMemberValid = isClosed
          ? run.failBelow(name, false, 'additionalProperties', message)
          : run.below(name, false, others, member);
      }
      if (isMatched) seen?.names.add(name);
      if (isMemberValid) continue;
      isValid = false;
      if (run.stopsEarly) return false;
    }
    return isValid;
  };
}

/** The keywords that apply schemas to the same value. */
function checksInPlace(schema: JsonObject, set: Schemas): Keyword[] {
  const checks: Keyword[] = [];
  const { $ref, allOf, anyOf, oneOf, not } = schema;
  if (typeof $ref === 'string') checks.push(checkAll([set.referredBy($ref)]));
  if (Array.isArray(allOf)) checks.push(checkAll(set.nodes(schema, ['allOf'])));
  if (Array.isArray(anyOf)) checks.push(checkAny(set.nodes(schema, ['anyOf'])));
  if (Array.isArray(oneOf)) checks.push(checkOne(set.nodes(schema, ['oneOf'])));
  if (not !== undefined) {
    const node = set.node(not);
    checks.push(
      (value: JsonValue, run: Run) =>
        !run.matches(node, value, null) || run.fail('not', 'matches a schema that is excluded'),
    );
  }
  const condition = checkCondition(schema, set);
  if (condition !== null) checks.push(condition);
  return checks;
}

function checkAll(nodes: readonly Schema[]): Check<JsonValue> {
  return (value, run, seen) => {
    let isValid = true;
    for (const node of nodes) {
      if (node.check(value, run, seen)) continue;
      isValid = false;
      if (run.stopsEarly) break;
    }
    return isValid;
  };
}

/** Whether a value is valid against a schema, without reporting. What the schema evaluates counts only if it is. */
function matches(node: Schema, value: JsonValue, run: Run, seen: Evaluated | null): boolean {
  const inner = seen === null ? null : new Evaluated();
  if (!run.matches(node, value, inner)) return false;
  if (inner !== null) seen?.add(inner);
  return true;
}

function checkAny(nodes: readonly Schema[]): Check<JsonValue> {
  return (value, run, seen) => {
    let isValid = false;
    for (const node of nodes) {
      if (!matches(node, value, run, seen)) continue;
      isValid = true;
      if (seen === null) break;
    }
    return isValid || failAlternatives('anyOf', nodes, value, run);
  };
}

function checkOne(nodes: readonly Schema[]): Check<JsonValue> {
  return (value, run, seen) => {
    let count = 0;
    for (const node of nodes) {
      if (matches(node, value, run, seen) && ++count > 1) {
        return run.fail('oneOf', 'must match exactly one of the alternatives, but matches several');
      }
    }
    return count === 1 || failAlternatives('oneOf', nodes, value, run);
  };
}

/** If only one of the alternatives has values of this type, its own violations say more. */
function failAlternatives(rule: string, nodes: readonly Schema[], value: JsonValue, run: Run): boolean {
  if (run.stopsEarly) return false;
  const type = typeName(value);
  const [node, ...others] = nodes.filter((each) => each.types().has(type));
  if (node !== undefined && others.length === 0 && !node.check(value, run, null)) return false;
  return run.fail(rule, `must match ${rule === 'anyOf' ? 'at least' : 'exactly'} one of the alternatives`);
}

function checkCondition(schema: JsonObject, set: Schemas): Check<JsonValue> | null {
  if (schema['if'] === undefined) return null;
  const condition = set.node(schema['if']);
  const [whenTrue] = set.nodes(schema, ['then']);
  const [whenFalse] = set.nodes(schema, ['else']);
  return (value, run, seen) => {
    const node = matches(condition, value, run, seen) ? whenTrue : whenFalse;
    return node === undefined || node.check(value, run, seen);
  };
}

function dependencies(schema: JsonObject, set: Schemas): Keyword[] {
  const entries = ['dependentRequired', 'dependentSchemas', ...(set.is30 ? ['dependencies'] : [])].flatMap((keyword) =>
    Object.entries(objectAt(schema, keyword)),
  );
  return entries.map(([name, dependency]): Check<JsonMap> => {
    const check = Array.isArray(dependency) ? checkDependent(dependency as string[]) : checkAll([set.node(dependency)]);
    return (value, run, seen) => !value.has(name) || check(value, run, seen);
  });
}

function checkDependent(names: readonly string[]): Check<JsonMap> {
  return (value, run) => {
    let isValid = true;
    for (const name of names) {
      if (!value.has(name))
        isValid = run.failBelow(name, true, 'dependentRequired', 'is required with the other fields');
    }
    return isValid;
  };
}

function checkUnevaluatedItems(schema: unknown, set: Schemas): Keyword {
  const node = set.node(schema);
  return (value: List, run: Run, seen: Evaluated | null) => {
    let isValid = true;
    for (const [index, item] of value.entries()) {
      if (seen?.hasItem(index) === true || run.below(index, false, node, item)) continue;
      isValid = false;
      if (run.stopsEarly) return false;
    }
    if (seen !== null) seen.itemCount = value.length;
    return isValid;
  };
}

function checkUnevaluatedProperties(schema: unknown, set: Schemas): Keyword {
  const node = set.node(schema);
  return (value: JsonMap, run: Run, seen: Evaluated | null) => {
    let isValid = true;
    for (const [name, member] of value) {
      run.spend(1);
      if (seen?.names.has(name) === true) continue;
      const isMemberValid =
        schema === false
          ? run.failBelow(name, false, 'unevaluatedProperties', 'is unknown')
          : run.below(name, false, node, member);
      seen?.names.add(name);
      if (isMemberValid) continue;
      isValid = false;
      if (run.stopsEarly) return false;
    }
    return isValid;
  };
}
