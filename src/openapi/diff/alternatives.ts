import { isObject } from '../../base/json.ts';
import { objectAt } from '../components.ts';
import { type Alternatives, type LocatedSchema, schemaText } from './conjunction.ts';
import { decodeStep } from '../pointer.ts';
import { nameAll, nameValue } from './names.ts';
import { type PairContext, report } from './pair.ts';

/**
 * Compares the alternatives of a schema. A schema without alternatives is its only one. False: the rest of the schema
 * was compared with the alternatives.
 */
export function compareAlternatives(context: PairContext): boolean {
  const { before, after } = context;
  if (before.alternatives.length === 0 && after.alternatives.length === 0) return true;
  const isWrapped = before.alternatives.length === 0 && isOnlyAlternatives(after.schemas) && before.schemas.length > 0;
  const isUnwrapped = after.alternatives.length === 0 && isOnlyAlternatives(before.schemas) && after.schemas.length > 0;
  if (isWrapped || isUnwrapped) {
    const [was, is] = [before, after].map((view, side) =>
      view.alternatives.length > 0
        ? view.alternatives
        : [{ all: [plainSchema(context, side === 0 ? 'before' : 'after')], pointer: view.pointer }],
    );
    compareGroups(context, was?.[0], is?.[0]);
    return false;
  }
  const length = Math.max(before.alternatives.length, after.alternatives.length);
  for (let index = 0; index < length; index++) {
    compareGroups(context, before.alternatives[index], after.alternatives[index]);
  }
  return true;
}

const WITH_ALTERNATIVES = new Set([
  'anyOf',
  'oneOf',
  'discriminator',
  'nullable',
  'title',
  'description',
  'example',
  '$ref',
  'allOf',
]);

/** Whether a view has nothing but one list of alternatives. */
function isOnlyAlternatives(schemas: PairContext['before']['schemas']): boolean {
  return schemas.every(({ schema }) =>
    Object.keys(schema).every((key) => WITH_ALTERNATIVES.has(key) || key.startsWith('x-')),
  );
}

/** The schema itself, as the only alternative. */
function plainSchema({ pair, schemas }: PairContext, side: 'before' | 'after'): LocatedSchema {
  const [part = { schema: true, pointer: '' }] = pair[side].parts;
  return schemas[side].resolve(part);
}

function compareGroups(context: PairContext, before: Alternatives | undefined, after: Alternatives | undefined): void {
  if (before === undefined || after === undefined) {
    const names = nameAlternatives((before ?? after)?.all ?? []);
    if (before === undefined) {
      report(context, 'narrower', 'alternatives_removed', { what: `must also fit one of ${names} now` });
    } else report(context, 'wider', 'alternatives_added', { what: `need no longer fit one of ${names}` });
    return;
  }
  const { matches, removed, added } = matchAlternatives(before.all, after.all);
  for (const [one, other] of matches) context.compare('', [one], [other]);
  if (removed.length > 0) {
    report(context, 'narrower', 'alternatives_removed', {
      what: `can no longer be ${nameAlternatives(removed)}`,
      pointer: before.pointer,
    });
  }
  if (added.length > 0) {
    report(context, 'wider', 'alternatives_added', {
      what: `can also be ${nameAlternatives(added)} now`,
      pointer: after.pointer,
    });
  }
}

interface Matches {
  readonly matches: readonly (readonly [LocatedSchema, LocatedSchema])[];
  readonly removed: readonly LocatedSchema[];
  readonly added: readonly LocatedSchema[];
}

interface Rule {
  readonly key: (one: LocatedSchema) => string | null;
  /** Whether several alternatives can have the same key. They belong together in their order, if both sides have as many. */
  readonly isUnsure?: boolean;
}

/** Rules by which alternatives belong together, the surest first. */
const RULES: readonly Rule[] = [
  { key: componentIn },
  { key: ({ schema }) => (isObject(schema) && typeof schema['title'] === 'string' ? schema['title'] : null) },
  { key: ({ schema }) => schemaText(schema) },
  { key: listFields, isUnsure: true },
  { key: typeIn, isUnsure: true },
];

function matchAlternatives(before: readonly LocatedSchema[], after: readonly LocatedSchema[]): Matches {
  const matches: (readonly [LocatedSchema, LocatedSchema])[] = [];
  const [removed, added] = [new Set(before), new Set(after)];
  for (const { key, isUnsure = false } of RULES) {
    const [old, now] = [groupBy(removed, key), groupBy(added, key)];
    for (const [name, group] of old) {
      const others = now.get(name) ?? [];
      if (isUnsure && others.length !== group.length) continue;
      for (const [index, one] of group.entries()) {
        const other = others[index];
        if (other === undefined) break;
        matches.push([one, other]);
        removed.delete(one);
        added.delete(other);
      }
    }
  }
  return { matches, removed: [...removed], added: [...added] };
}

/** The names of an object's fields. */
function listFields({ schema }: LocatedSchema): string | null {
  const names = Object.keys(objectAt(schema, 'properties'));
  return names.length === 0 || names.length > MAX_NAMES ? null : JSON.stringify(names.sort());
}

const MAX_NAMES = 1000;

function groupBy(
  all: ReadonlySet<LocatedSchema>,
  rule: (one: LocatedSchema) => string | null,
): Map<string, LocatedSchema[]> {
  const groups = new Map<string, LocatedSchema[]>();
  for (const one of all) {
    const name = rule(one);
    if (name === null) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

/** Null does not count, because OpenAPI 3.0 does not write it as a type. */
function typeIn({ schema }: LocatedSchema): string {
  if (!isObject(schema)) return '';
  const { type, properties } = schema;
  if (type === undefined) return properties === undefined ? '' : 'object';
  return [type]
    .flat()
    .filter((one) => one !== 'null')
    .map(String)
    .sort()
    .join(' ');
}

const COMPONENT = '/components/schemas/';

/** The name of a schema that is a component; null if it is not, or a part of one. */
function componentIn({ pointer }: LocatedSchema): string | null {
  if (!pointer.startsWith(COMPONENT)) return null;
  const name = pointer.slice(COMPONENT.length);
  return name.includes('/') ? null : decodeStep(name);
}

function nameAlternatives(all: readonly LocatedSchema[]): string {
  return nameAll(
    all.map(({ schema, pointer }) => {
      const component = componentIn({ schema, pointer });
      if (component !== null) return component;
      if (!isObject(schema)) return 'anything';
      const { title, type, enum: values } = schema;
      if (typeof title === 'string') return title;
      if (Array.isArray(values)) return `one of ${nameAll(values)}`;
      return type === undefined ? 'another schema' : `a schema of type ${nameValue(type)}`;
    }),
  );
}
