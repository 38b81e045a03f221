import { escapePointerStep, isObject } from '../../base/json.ts';
import { isSameText, type PairContext, report, schemasAt } from './pair.ts';
import { type LocatedSchema, textsIn, type View } from './conjunction.ts';
import { nameAll, nameValue } from './names.ts';

/** Keywords with one schema, which is compared if both sides have it. */
const SCHEMAS = [
  'contains',
  'propertyNames',
  'contentSchema',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
];
/** Keywords with a schema that turns the effect round, or that cannot be judged. */
const OPAQUE = ['not', 'if'];
/** Keywords with schemas by name. */
const MAPS = ['dependentSchemas', 'patternProperties'];
/** Keywords with a text. */
const TEXTS = ['contentEncoding', 'contentMediaType'];

/** Compares the keywords of JSON Schema that restrict a value by a condition. */
export function compareConditions(context: PairContext): void {
  const { before, after, compare } = context;
  for (const keyword of SCHEMAS) {
    const [was, is] = [restrictionsAt(before, keyword), restrictionsAt(after, keyword)];
    if (was.length > 0 && is.length > 0) compare(`.<${keyword}>`, was, is);
    else reportPresence(context, keyword, was.length > 0, is.length > 0);
  }
  for (const keyword of OPAQUE) {
    const [was, is] = [schemasAt(before, keyword), schemasAt(after, keyword)];
    if (was.length === 0 || is.length === 0) reportPresence(context, keyword, was.length > 0, is.length > 0);
    else if (
      !isSameText(
        was.map(({ schema }) => schema),
        is.map(({ schema }) => schema),
      )
    ) {
      report(context, 'different', 'condition_changed', { what: `has another ${keyword} now`, isUnsure: true });
    }
  }
  for (const keyword of MAPS) {
    const [was, is] = [entriesAt(before, keyword), entriesAt(after, keyword)];
    for (const name of new Set([...was.keys(), ...is.keys()])) {
      const [old, now] = [was.get(name), is.get(name)];
      if (old !== undefined && now !== undefined) compare(`.${name}`, old, now);
      else reportPresence(context, `${keyword} ${nameValue(name)}`, old !== undefined, now !== undefined);
    }
  }
  for (const keyword of TEXTS) {
    const [was, is] = [before, after].map(({ schemas }) =>
      schemas.map(({ schema }) => schema[keyword]).find((text) => typeof text === 'string'),
    );
    if (was !== is)
      report(context, 'different', 'condition_changed', {
        what: `has ${is === undefined ? 'no' : 'another'} ${keyword} now`,
      });
  }
  compareDependentRequired(context);
}

function reportPresence(context: PairContext, keyword: string, was: boolean, is: boolean): void {
  if (was === is) return;
  report(context, is ? 'narrower' : 'wider', 'condition_changed', {
    what: is ? `is restricted by ${keyword} now` : `is no longer restricted by ${keyword}`,
  });
}

/** The schemas of a keyword, except those that restrict nothing. */
function restrictionsAt(view: View, keyword: string): LocatedSchema[] {
  return schemasAt(view, keyword).filter(({ schema }) => schema !== true);
}

function entriesAt({ schemas }: View, keyword: string): Map<string, LocatedSchema[]> {
  const entries = new Map<string, LocatedSchema[]>();
  for (const { schema, pointer } of schemas) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [name, one] of Object.entries(map)) {
      const located = { schema: one, pointer: `${pointer}/${keyword}/${escapePointerStep(name)}` };
      entries.set(name, [...(entries.get(name) ?? []), located]);
    }
  }
  return entries;
}

function compareDependentRequired(context: PairContext): void {
  const [was, is] = [requiredBy(context.before), requiredBy(context.after)];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(name) ?? new Set(), is.get(name) ?? new Set()];
    const [added, removed] = [[...now.difference(old)], [...old.difference(now)]];
    if (added.length > 0) {
      report(context, 'narrower', 'condition_changed', {
        what: `must have ${nameAll(added)} now if it has ${nameValue(name)}`,
      });
    }
    if (removed.length > 0) {
      report(context, 'wider', 'condition_changed', {
        what: `need not have ${nameAll(removed)} now if it has ${nameValue(name)}`,
      });
    }
  }
}

function requiredBy({ schemas }: View): Map<string, Set<string>> {
  const required = new Map<string, Set<string>>();
  for (const { schema } of schemas) {
    const { dependentRequired } = schema;
    if (!isObject(dependentRequired)) continue;
    for (const [name, names] of Object.entries(dependentRequired)) {
      required.set(name, new Set([...(required.get(name) ?? []), ...textsIn(names)]));
    }
  }
  return required;
}
