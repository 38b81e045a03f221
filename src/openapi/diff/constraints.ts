import { NUMBER_FORMATS, TEXT_FORMATS } from '../validation/formats.ts';
import { describeTypes } from '../validation/messages.ts';
import type { ChangeKind } from './change.ts';
import { type Effect, isSentByCaller, isWrittenAsText, type PairContext, report } from './pair.ts';
import { hasType, listIn, valuesIn, valueText, type View } from './conjunction.ts';
import { nameAll, nameValue } from './names.ts';

/**
 * Compares what a schema says about a value itself. False: the values are of other types, so there is nothing more to
 * compare.
 */
export function compareConstraints(context: PairContext): boolean {
  compareNull(context);
  if (!compareTypes(context)) return false;
  compareFormats(context);
  compareAllowedValues(context);
  compareExtensibleValues(context);
  compareLimits(context);
  comparePatterns(context);
  compareMultiples(context);
  compareUnique(context);
  compareDefaults(context);
  return true;
}

function compareNull(context: PairContext): void {
  const { before, after } = context;
  // A schema without a type allows null, but its author rarely means that.
  if (before.allowsNull === after.allowsNull || isImplied(before) || isImplied(after)) return;
  if (after.allowsNull) report(context, 'wider', 'null_allowed', { what: 'can be null now' });
  else report(context, 'narrower', 'null_forbidden', { what: 'can no longer be null' });
}

function isImplied({ schemas }: View): boolean {
  return schemas.every(({ schema }) => schema['type'] === undefined);
}

const TEXTS = ['string', 'number', 'integer', 'boolean'];

/** Whether all types of one schema are allowed by the other. */
function covers(wide: View['types'], narrow: View['types'], isText: boolean): boolean {
  if (wide === null) return true;
  // In a parameter, all values are texts.
  if (narrow === null) return isText && wide.has('string');
  return [...narrow].every((type) => hasType(wide, type) || (isText && wide.has('string') && TEXTS.includes(type)));
}

function effectBetween(isWider: boolean, isNarrower: boolean): Effect | null {
  if (isWider && isNarrower) return null;
  return isWider ? 'wider' : isNarrower ? 'narrower' : 'different';
}

function compareTypes(context: PairContext): boolean {
  const { before, after, pair } = context;
  // The types of alternatives are compared with the alternatives.
  if (
    (before.types === null && before.alternatives.length > 0) ||
    (after.types === null && after.alternatives.length > 0)
  )
    return true;
  const isText = isWrittenAsText(pair.direction);
  const [isWider, isNarrower] = [covers(after.types, before.types, isText), covers(before.types, after.types, isText)];
  const effect = effectBetween(isWider, isNarrower);
  if (effect === null) return true;
  if (
    pair.direction === 'parameter' &&
    isList(after.types) &&
    before.types !== null &&
    [...before.types].every((type) => TEXTS.includes(type))
  ) {
    // One value is also a list of one.
    compareWithItem(context);
    return false;
  }
  report(context, effect, 'type_changed', {
    what: `${isSentByCaller(pair.direction) ? 'must now be' : 'can now be'} ${nameTypes(after.types)} (before: ${nameTypes(before.types)})`,
  });
  return effect !== 'different';
}

function isList(types: View['types']): boolean {
  return types?.size === 1 && types.has('array');
}

function compareWithItem(context: PairContext): void {
  const { before, after, pair, compare } = context;
  const minimum = largest(after, 'minItems') ?? 0;
  report(context, minimum > 1 ? 'different' : 'wider', 'type_changed', {
    what: minimum > 1 ? `must now be a list of at least ${minimum}` : 'can now be a list',
  });
  const items = after.schemas.flatMap(({ schema, pointer }) =>
    schema['items'] === undefined ? [] : [{ schema: schema['items'], pointer: `${pointer}/items` }],
  );
  if (before.schemas.length > 0) compare('', pair.before.parts, items);
}

function nameTypes(types: View['types']): string {
  if (types === null) return 'anything';
  return types.size === 0 ? 'null' : nameValue(describeTypes([...types]));
}

/** Formats whose values all fit the second one. */
const CONTAINED: readonly (readonly [narrow: string, wide: string])[] = [
  ['int32', 'int64'],
  ['float', 'double'],
  ['uri', 'uri-reference'],
  ['uri', 'iri'],
  ['email', 'idn-email'],
  ['hostname', 'idn-hostname'],
];

function compareFormats(context: PairContext): void {
  const [was, is] = [textIn(context.before, 'format'), textIn(context.after, 'format')];
  if (was === is || was?.toLowerCase() === is?.toLowerCase()) return;
  const isWider = is === null || CONTAINED.some(([narrow, wide]) => narrow === was && wide === is);
  const isNarrower = was === null || CONTAINED.some(([narrow, wide]) => narrow === is && wide === was);
  const effect = effectBetween(isWider, isNarrower) ?? 'different';
  report(context, effect, 'type_changed', {
    what: `has ${is === null ? 'no format' : `the format ${nameValue(is)}`} now (before: ${was === null ? 'none' : nameValue(was)})`,
    // A format that no specification defines is not checked, and a new format of a number rarely excludes one in use.
    isUnsure: (was === null && NUMBER_FORMATS.has(is ?? '')) || [was, is].every(isUnknownFormat),
  });
}

function isUnknownFormat(format: string | null): boolean {
  return format === null || !(TEXT_FORMATS.has(format) || NUMBER_FORMATS.has(format));
}

function textIn({ schemas }: View, keyword: string): string | null {
  const found = schemas.find(({ schema }) => typeof schema[keyword] === 'string');
  return found === undefined ? null : (found.schema[keyword] as string);
}

/** The values other than null that are allowed, by their texts; null if the schema does not list them. */
function allowedValues({ schemas }: View): Map<string, unknown> | null {
  let allowed: Map<string, unknown> | null = null;
  for (const { schema } of schemas) {
    const own = valuesIn(schema);
    if (own === null) continue;
    const texts = new Map<string, unknown>();
    for (const value of own) {
      const text = valueText(value);
      if (value !== null && text !== null) texts.set(text, value);
    }
    const known: Map<string, unknown> | null = allowed;
    allowed = known === null ? texts : intersect(texts, known);
  }
  return allowed;
}

function intersect<Value>(one: ReadonlyMap<string, Value>, other: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...one].filter(([key]) => other.has(key)));
}

function compareAllowedValues(context: PairContext): void {
  const { before, after, pair } = context;
  const [was, is] = [allowedValues(before), allowedValues(after)];
  if (was === null && is === null) return;
  const isConstant = [before, after].some(({ schemas }) => schemas.some(({ schema }) => 'const' in schema));
  if (was === null || is === null) {
    const allowed = nameAll([...(was ?? is ?? []).values()]);
    if (was === null) report(context, 'narrower', 'values_removed', { what: `must be one of ${allowed} now` });
    else
      report(context, 'wider', 'values_added', {
        what: `can be any value now, not only ${allowed}`,
        isUnsure: !isSentByCaller(pair.direction) && !isConstant,
      });
    return;
  }
  const removed = [...was].filter(([text]) => !is.has(text)).map(([, value]) => value);
  const added = [...is].filter(([text]) => !was.has(text)).map(([, value]) => value);
  if (removed.length > 0) {
    report(context, 'narrower', 'values_removed', { what: `can no longer be ${nameAll(removed)}` });
  }
  if (added.length > 0) {
    // Callers are expected to cope with a new value of a list, but not of a constant.
    report(context, 'wider', 'values_added', { what: `can also be ${nameAll(added)} now`, isUnsure: !isConstant });
  }
}

/** Compares lists of values that may grow (`x-extensible-enum`): callers must be prepared for new values. */
function compareExtensibleValues(context: PairContext): void {
  const [was, is] = [context.before, context.after].map(
    ({ schemas }) =>
      new Set(schemas.flatMap(({ schema }) => listIn(schema['x-extensible-enum']).map(([, value]) => value))),
  );
  if (was === undefined || is === undefined || is.size === 0) return;
  const removed = [...was].filter((value) => !is.has(value));
  if (removed.length > 0) {
    report(context, 'narrower', 'values_removed', { what: `can no longer be ${nameAll(removed)}` });
  }
}

interface Limit {
  readonly keyword: string;
  readonly isMinimum: boolean;
  readonly what: (value: number) => string;
  /** Whether a new limit is certain to be a new restriction. Others often only describe a limit that always existed. */
  readonly isCertain?: boolean;
}

const LIMITS: readonly Limit[] = [
  { keyword: 'minLength', isMinimum: true, what: (value) => `at least ${value} characters`, isCertain: true },
  { keyword: 'maxLength', isMinimum: false, what: (value) => `at most ${value} characters` },
  { keyword: 'minItems', isMinimum: true, what: (value) => `at least ${value} items`, isCertain: true },
  { keyword: 'maxItems', isMinimum: false, what: (value) => `at most ${value} items` },
  { keyword: 'minProperties', isMinimum: true, what: (value) => `at least ${value} fields` },
  { keyword: 'maxProperties', isMinimum: false, what: (value) => `at most ${value} fields` },
  { keyword: 'minContains', isMinimum: true, what: (value) => `at least ${value} matching items`, isCertain: true },
  { keyword: 'maxContains', isMinimum: false, what: (value) => `at most ${value} matching items`, isCertain: true },
];

function compareLimits(context: PairContext): void {
  const { before, after } = context;
  for (const { keyword, isMinimum, what, isCertain = false } of LIMITS) {
    const find = isMinimum ? largest : smallest;
    const none = keyword === 'minContains' ? 1 : isMinimum ? 0 : Number.POSITIVE_INFINITY;
    const [was, is] = [find(before, keyword) ?? none, find(after, keyword) ?? none];
    reportLimit(context, {
      was,
      is,
      none,
      isMinimum,
      isCertain,
      name: (value) => (value === none ? 'no limit' : what(value)),
    });
  }
  for (const isMinimum of [true, false]) {
    const [was, is] = [boundIn(before, isMinimum), boundIn(after, isMinimum)];
    const none = isMinimum ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const words = isMinimum ? ['at least', 'more than'] : ['at most', 'less than'];
    const name = ({ value, isExclusive }: Bound) =>
      value === none ? 'no limit' : `${words[isExclusive ? 1 : 0]} ${value}`;
    if (was.value === is.value) {
      if (was.isExclusive !== is.isExclusive && was.value !== none) {
        const what = `must be ${name(is)} now (before: ${name(was)})`;
        report(context, is.isExclusive ? 'narrower' : 'wider', 'limit_changed', { what });
      }
      continue;
    }
    reportLimit(context, {
      was: was.value,
      is: is.value,
      none,
      isMinimum,
      isCertain: false,
      name: (value) => name(value === was.value ? was : is),
    });
  }
}

interface LimitChange {
  readonly was: number;
  readonly is: number;
  /** The value that stands for no limit. */
  readonly none: number;
  readonly isMinimum: boolean;
  readonly isCertain: boolean;
  readonly name: (value: number) => string;
}

function reportLimit(context: PairContext, { was, is, none, isMinimum, isCertain, name }: LimitChange): void {
  if (was === is) return;
  const isNarrower = is > was === isMinimum;
  report(context, isNarrower ? 'narrower' : 'wider', 'limit_changed', {
    what: is === none ? `has no limit now (before: ${name(was)})` : `must have ${name(is)} now (before: ${name(was)})`,
    isUnsure: was === none && !isCertain,
  });
}

function numbersIn({ schemas }: View, keyword: string): number[] {
  return schemas.map(({ schema }) => schema[keyword]).filter((value) => typeof value === 'number');
}

function largest(view: View, keyword: string): number | null {
  const numbers = numbersIn(view, keyword);
  return numbers.length === 0 ? null : numbers.reduce((one, other) => Math.max(one, other));
}

function smallest(view: View, keyword: string): number | null {
  const numbers = numbersIn(view, keyword);
  return numbers.length === 0 ? null : numbers.reduce((one, other) => Math.min(one, other));
}

interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
}

/** The tightest bound. `exclusiveMinimum` is a number, or in OpenAPI 3.0 true beside `minimum`. */
function boundIn({ schemas }: View, isMinimum: boolean): Bound {
  const [keyword, exclusive] = isMinimum ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum'];
  let bound: Bound = { value: isMinimum ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, isExclusive: false };
  const tighten = (value: unknown, isExclusive: boolean) => {
    if (typeof value !== 'number') return;
    const isTighter = isMinimum ? value > bound.value : value < bound.value;
    if (isTighter || (value === bound.value && isExclusive)) bound = { value, isExclusive };
  };
  for (const { schema } of schemas) {
    tighten(schema[keyword ?? ''], schema[exclusive ?? ''] === true);
    tighten(schema[exclusive ?? ''], true);
  }
  return bound;
}

const ANY_TEXT = new Set(['', '.*', '^.*$', '^', '$', '[\\s\\S]*']);

function comparePatterns(context: PairContext): void {
  const patterns = (view: View) =>
    new Set(
      view.schemas
        .map(({ schema }) => schema['pattern'])
        .filter((pattern) => typeof pattern === 'string' && !ANY_TEXT.has(pattern)),
    );
  const [was, is] = [patterns(context.before), patterns(context.after)];
  const [isWider, isNarrower] = [is.isSubsetOf(was), was.isSubsetOf(is)];
  const effect = effectBetween(isWider, isNarrower);
  if (effect === null) return;
  context.report({
    kind: 'pattern_changed',
    // Callers rarely depend on the pattern of what they receive. Whether two patterns overlap is not decided.
    severity:
      !isSentByCaller(context.pair.direction) || effect === 'wider'
        ? 'compatible'
        : effect === 'narrower' && was.size === 0
          ? 'breaking'
          : 'warning',
    pointer: context.after.pointer,
    what: is.size === 0 ? 'can be any text now' : `must match ${nameAll([...is])} now`,
  });
}

function compareMultiples(context: PairContext): void {
  const [was, is] = [largest(context.before, 'multipleOf'), largest(context.after, 'multipleOf')];
  if (was === is) return;
  const isWider = is === null || (was !== null && was % is === 0);
  const isNarrower = was === null || (is !== null && is % was === 0);
  const what = is === null ? 'need not be a multiple of a number now' : `must be a multiple of ${is} now`;
  report(context, effectBetween(isWider, isNarrower) ?? 'different', 'limit_changed', { what });
}

function compareUnique(context: PairContext): void {
  const [was, is] = [context.before, context.after].map(({ schemas }) =>
    schemas.some(({ schema }) => schema['uniqueItems'] === true),
  );
  if (was === is) return;
  const what = is ? 'must not have equal items now' : 'can have equal items now';
  report(context, is ? 'narrower' : 'wider', 'limit_changed', { what });
}

function compareDefaults({ before, after, pair, report: add }: PairContext): void {
  const [was, is] = [before, after].map(({ schemas }) => {
    const found = schemas.find(({ schema }) => schema['default'] !== undefined);
    return found === undefined ? undefined : valueText(found.schema['default']);
  });
  if (was === is) return;
  const kind: ChangeKind = 'default_changed';
  const isChanged = was !== undefined && is !== undefined;
  add({
    kind,
    // Services rarely fill in the defaults of fields. A new default may be what the service always did.
    severity: pair.direction !== 'parameter' ? 'compatible' : isChanged ? 'breaking' : 'warning',
    pointer: after.pointer,
    what: is === undefined ? 'has no default now' : `has the default ${nameValue(is ?? '')} now`,
  });
}
