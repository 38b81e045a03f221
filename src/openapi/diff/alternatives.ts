import { isObject } from '../../base/json.ts';
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

/** Rules by which alternatives belong together, the surest first. */
const RULES: readonly ((one: LocatedSchema) => string | null)[] = [
  componentIn,
  ({ schema }) => (isObject(schema) && typeof schema['title'] === 'string' ? schema['title'] : null),
  ({ schema }) => schemaText(schema),
  typeIn,
];

function matchAlternatives(before: readonly LocatedSchema[], after: readonly LocatedSchema[]): Matches {
  const matches: (readonly [LocatedSchema, LocatedSchema])[] = [];
  const [removed, added] = [new Set(before), new Set(after)];
  for (const rule of RULES) {
    const [old, now] = [groupBy(removed, rule), groupBy(added, rule)];
    for (const [name, [one, ...more]] of old) {
      const [other, ...others] = now.get(name) ?? [];
      // If several have the same type, nothing says which belong together.
      if (one === undefined || other === undefined || (rule === typeIn && more.length + others.length > 0)) continue;
      matches.push([one, other]);
      removed.delete(one);
      added.delete(other);
    }
  }
  return { matches, removed: [...removed], added: [...added] };
}

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

function typeIn({ schema }: LocatedSchema): string {
  if (!isObject(schema)) return '';
  const { type, properties } = schema;
  return type === undefined && properties !== undefined ? 'object' : String(type);
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
