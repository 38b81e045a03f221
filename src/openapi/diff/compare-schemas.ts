import { escapePointerStep, isObject } from '../../base/json.ts';
import { compareAlternatives } from './alternatives.ts';
import { compareConditions } from './conditions.ts';
import { type Conjunction, type DocumentSchemas, listIn, type LocatedSchema, type View } from './conjunction.ts';
import { compareConstraints } from './constraints.ts';
import { type Direction, isSentByCaller, type Pair, type PairContext, report, schemasAt } from './pair.ts';

/** Compares the schemas of two documents. Each pair of schemas is compared once, wherever it is used. */
export class SchemaComparison {
  readonly #before: DocumentSchemas;
  readonly #after: DocumentSchemas;
  readonly #pairs = new Map<string, Pair>();
  readonly #waiting: Pair[] = [];
  /** Pairs, and the schemas, parts and changes of each. Documents can combine the same schemas in very many ways. */
  #workLeft: number;
  isIncomplete = false;

  constructor(before: DocumentSchemas, after: DocumentSchemas, maxWork: number) {
    this.#before = before;
    this.#after = after;
    this.#workLeft = maxWork;
  }

  /** The pair of two schemas, compared with all that they refer to. */
  compare(before: LocatedSchema, after: LocatedSchema, direction: Direction): Pair {
    const pair = this.#pair(this.#before.conjunction([before]), this.#after.conjunction([after]), direction);
    // This does not recurse, because schemas may refer to each other in long chains.
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#comparePair(next);
    return pair;
  }

  /** Whether the values of both schemas are single texts in a parameter. The style of a list makes no difference there. */
  isOneText(before: LocatedSchema, after: LocatedSchema): boolean {
    const types = [
      this.#before.view(this.#before.conjunction([before])).types,
      this.#after.view(this.#after.conjunction([after])).types,
    ];
    return types.every((each) => each !== null && !each.has('array') && !each.has('object'));
  }

  #pair(before: Conjunction, after: Conjunction, direction: Direction): Pair {
    const key = `${direction} ${before.key} ${after.key}`;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { direction, before, after, findings: [], edges: [], parents: new Set(), hasChanges: false };
      this.#pairs.set(key, pair);
      if (this.#workLeft > 0) this.#waiting.push(pair);
      else this.isIncomplete = true;
    }
    return pair;
  }

  #comparePair(pair: Pair): void {
    const { direction } = pair;
    const context: PairContext = {
      pair,
      before: this.#before.view(pair.before),
      after: this.#after.view(pair.after),
      schemas: { before: this.#before, after: this.#after },
      report: (finding) => pair.findings.push(finding),
      compare: (step, before, after) => {
        const part = this.#pair(this.#before.conjunction(before), this.#after.conjunction(after), direction);
        if (part === pair) return;
        pair.edges.push({ step, pair: part });
        part.parents.add(pair);
        if (part.hasChanges) markChanged(pair);
      },
    };
    if (compareValues(context)) {
      compareFields(context);
      compareItems(context);
      compareConditions(context);
    }
    this.#workLeft -= 1 + context.before.schemas.length + context.after.schemas.length;
    this.#workLeft -= pair.edges.length + pair.findings.length;
    if (pair.findings.length > 0) markChanged(pair);
  }
}

function markChanged(from: Pair): void {
  const queue = [from];
  for (const pair of queue) {
    if (pair.hasChanges) continue;
    pair.hasChanges = true;
    queue.push(...pair.parents);
  }
}

/** Compares the restrictions of the values themselves. False: they are so different that their parts are not compared. */
function compareValues(context: PairContext): boolean {
  const { before, after } = context;
  if (before.isNever || after.isNever) {
    if (before.isNever !== after.isNever) {
      report(context, after.isNever ? 'narrower' : 'wider', 'type_changed', {
        what: after.isNever ? 'no longer has any value that fits' : 'has values now',
      });
    }
    return false;
  }
  return compareConstraints(context) && compareAlternatives(context);
}

/** The schemas of each field, by its name. */
function fieldsIn(view: View): Map<string, LocatedSchema[]> {
  const fields = new Map<string, LocatedSchema[]>();
  for (const { schema, pointer } of view.schemas) {
    if (!isObject(schema['properties'])) continue;
    for (const [name, field] of Object.entries(schema['properties'])) {
      const located = { schema: field, pointer: `${pointer}/properties/${escapePointerStep(name)}` };
      const known = fields.get(name);
      if (known === undefined) fields.set(name, [located]);
      else known.push(located);
    }
  }
  return fields;
}

function requiredIn(view: View): ReadonlySet<string> {
  const names = view.schemas.flatMap(({ schema }) => listIn(schema['required']).map(([, name]) => name));
  return new Set(names.filter((name) => typeof name === 'string'));
}

type Access = 'readOnly' | 'writeOnly' | null;

function accessIn(view: View): Access {
  for (const access of ['readOnly', 'writeOnly'] as const) {
    if (view.schemas.some(({ schema }) => schema[access] === true)) return access;
  }
  return null;
}

function compareFields(context: PairContext): void {
  const { pair, before, after, schemas, compare } = context;
  const [fieldsBefore, fieldsAfter] = [fieldsIn(before), fieldsIn(after)];
  const [requiredBefore, requiredAfter] = [requiredIn(before), requiredIn(after)];
  const isRequest = isSentByCaller(pair.direction);
  // The other side ignores these fields.
  const ignored: Access = isRequest ? 'readOnly' : 'writeOnly';
  for (const [name, parts] of fieldsBefore) {
    const its = schemas.before.view(schemas.before.conjunction(parts));
    const [accessBefore, wasRequired] = [accessIn(its), requiredBefore.has(name)];
    const now = fieldsAfter.get(name);
    if (now === undefined) {
      const isForbidden = isRequest && additionalIn(after) === false;
      const isHarmless = accessBefore === ignored || (additionalIn(after) === 'schema' && isRequest);
      context.report({
        kind: 'field_removed',
        severity: isHarmless ? 'compatible' : isForbidden || (!isRequest && wasRequired) ? 'breaking' : 'warning',
        field: name,
        pointer: parts[0]?.pointer ?? '',
        what: isForbidden ? 'was removed, and other fields are not allowed' : 'was removed',
      });
      continue;
    }
    const view = schemas.after.view(schemas.after.conjunction(now));
    const access = accessIn(view);
    if (accessBefore !== access) compareAccess(context, name, accessBefore, access, requiredAfter.has(name));
    if (access !== ignored && accessBefore !== ignored) compare(`.${name}`, parts, now);
    const isRequired = requiredAfter.has(name);
    if (wasRequired === isRequired) continue;
    const isHarmless = access === ignored || (isRequest ? !isRequired || hasDefault(view) : isRequired);
    context.report({
      kind: isRequired ? 'field_required' : 'field_optional',
      severity: isHarmless ? 'compatible' : 'breaking',
      field: name,
      pointer: now[0]?.pointer ?? after.pointer,
      what: isRequired ? 'is required now' : isRequest ? 'is no longer required' : 'can be missing now',
    });
  }
  for (const [name, parts] of fieldsAfter) {
    if (fieldsBefore.has(name)) continue;
    const view = schemas.after.view(schemas.after.conjunction(parts));
    const isRequired = requiredAfter.has(name) && accessIn(view) !== 'readOnly';
    context.report({
      kind: 'field_added',
      severity: isRequest && isRequired && !hasDefault(view) ? 'breaking' : 'compatible',
      field: name,
      pointer: parts[0]?.pointer ?? '',
      what: isRequest && isRequired ? 'is new and required' : 'is new',
    });
  }
  for (const name of requiredAfter) {
    if (requiredBefore.has(name) || fieldsAfter.has(name)) continue;
    report(context, 'narrower', 'field_required', { field: name, what: 'is required now' });
  }
  compareAdditional(context);
}

function compareAccess(context: PairContext, name: string, before: Access, now: Access, isRequired: boolean): void {
  const appears = !isSentByCaller(context.pair.direction) && before === 'writeOnly' && isRequired;
  context.report({
    kind: 'access_changed',
    severity: appears ? 'warning' : 'compatible',
    field: name,
    pointer: context.after.pointer,
    what: now === null ? `is no longer ${before}` : `is ${now} now`,
  });
}

function hasDefault({ schemas }: View): boolean {
  return schemas.some(({ schema }) => schema['default'] !== undefined);
}

/** Whether fields that the schema does not name are allowed. */
function additionalIn({ schemas }: View): boolean | 'schema' {
  const all = schemas.flatMap(({ schema }) =>
    'additionalProperties' in schema ? [schema['additionalProperties']] : [],
  );
  if (all.includes(false)) return false;
  return all.some((one) => isObject(one) && Object.keys(one).length > 0) ? 'schema' : true;
}

function compareAdditional(context: PairContext): void {
  const [was, is] = [additionalIn(context.before), additionalIn(context.after)];
  if (was === 'schema' && is === 'schema') {
    context.compare(
      '.*',
      schemasAt(context.before, 'additionalProperties'),
      schemasAt(context.after, 'additionalProperties'),
    );
  } else if (was !== is) {
    const isNarrower = is === false || was === true;
    // More fields in a response are harmless.
    if (!isSentByCaller(context.pair.direction) && !isNarrower && was === false) return;
    report(context, isNarrower ? 'narrower' : 'wider', 'additional_fields_changed', {
      what:
        is === false
          ? 'no longer allows other fields'
          : is === true
            ? 'allows any other fields'
            : 'allows only some other fields',
      isUnsure: is === 'schema' || was === 'schema',
    });
  }
}

/** Maximum number of items that have schemas of their own. */
const MAX_ITEMS = 100;

function compareItems(context: PairContext): void {
  const { before, after, compare } = context;
  const [restBefore, restAfter] = [schemasAt(before, 'items'), schemasAt(after, 'items')];
  const [firstBefore, firstAfter] = [prefixItemsIn(before), prefixItemsIn(after)];
  const length = Math.min(MAX_ITEMS, Math.max(firstBefore.length, firstAfter.length));
  for (let index = 0; index < length; index++) {
    compare(`[${index}]`, firstBefore[index] ?? restBefore, firstAfter[index] ?? restAfter);
  }
  if (restBefore.length > 0 || restAfter.length > 0) compare('[]', restBefore, restAfter);
}

function prefixItemsIn({ schemas }: View): LocatedSchema[][] {
  const [first] = schemas.flatMap(({ schema, pointer }) => {
    const { prefixItems } = schema;
    if (!Array.isArray(prefixItems)) return [];
    return [listIn(prefixItems).map(([index, item]) => [{ schema: item, pointer: `${pointer}/prefixItems/${index}` }])];
  });
  return first ?? [];
}
