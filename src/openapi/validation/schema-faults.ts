import { escapePointerStep, isObject, type JsonObject } from '../../base/json.ts';
import { pauseIfDue } from '../../base/pause-if-due.ts';
import { tableOf } from '../../base/table-of.ts';
import { type Child, childBelow, childNames } from '../document-nodes.ts';
import { parseSteps, valueAt } from '../pointer.ts';
import type { SchemaSet } from './schema-set.ts';
import { shorten } from './messages.ts';

/** A schema that cannot be checked. */
export interface SchemaFault {
  readonly pointer: string;
  readonly reason: string;
}

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText);
const isAnything = () => true;
const isMap = (value: unknown) => isObject(value);
const TYPE_NAMES = new Set<unknown>(['null', 'boolean', 'string', 'number', 'integer', 'array', 'object']);

/** A test of a keyword's value, and the end of a sentence that says what the value must be. */
type Form = readonly [(value: unknown) => boolean, string];

const NUMBER: Form = [isNumber, 'a number'];
const COUNT: Form = [isCount, 'a whole number that is not negative'];
const NAMES: Form = [isNames, 'a list of names'];
const MAP: Form = [isMap, 'a map'];
const LIST: Form = [isList, 'a list'];

const FORMS = tableOf<Form>({
  type: [
    (value) => TYPE_NAMES.has(value) || (Array.isArray(value) && value.every((each) => TYPE_NAMES.has(each))),
    `one of ${[...TYPE_NAMES].join(', ')}, or a list of them`,
  ],
  enum: LIST,
  minimum: NUMBER,
  maximum: NUMBER,
  multipleOf: [(value) => isNumber(value) && (value as number) > 0, 'a positive number'],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minContains: COUNT,
  maxContains: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  uniqueItems: [isFlag, 'true or false'],
  pattern: [isText, 'a regular expression'],
  format: [isText, 'the name of a format'],
  required: NAMES,
  properties: MAP,
  patternProperties: MAP,
  dependentSchemas: MAP,
  dependentRequired: [(value) => isObject(value) && Object.values(value).every(isNames), 'a map of lists of names'],
  allOf: LIST,
  anyOf: LIST,
  oneOf: LIST,
  prefixItems: LIST,
  $ref: [isText, 'a reference'],
});

/** Keywords whose meaning depends on the way to the schema, or on other documents. */
const UNSUPPORTED = ['$dynamicRef', '$recursiveRef'];
/** Keywords that contain schemas, but do not apply them. */
const DEFINITIONS = new Set(['$defs', 'definitions', 'contentSchema']);
const IN_PLACE = new Set([
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);
const DIALECTS =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.1\/dialect\/.*)#?$/;

const SCHEMA: Child = ['schema', 'one'];
const NO_STEPS: readonly string[] = [];

/** The facts about a keyword that a quick look needs. */
interface Role {
  /** A test of the value; null if the value needs more than a look at its form. */
  readonly form: ((value: unknown) => boolean) | null;
  readonly children: Child[1] | null;
  readonly isInPlace: boolean;
}

const NEED_MORE = new Set(['$id', '$schema', 'pattern', 'patternProperties', 'exclusiveMinimum', 'exclusiveMaximum']);
/** The keywords that are read. All others, such as `description`, have no meaning for checks. */
const ROLES = createRoles();

function createRoles(): ReadonlyMap<string, Role> {
  const special = ['$ref', 'items', 'dependencies', ...UNSUPPORTED, ...NEED_MORE];
  const names = new Set([...FORMS.keys(), ...special, ...childNames('schema')]);
  return new Map(
    Array.from(names, (name): [string, Role] => {
      const child = name === 'dependencies' ? 'map' : (childBelow(SCHEMA, name)?.[1] ?? null);
      const isCompound = special.includes(name);
      return [
        name,
        {
          form: isCompound ? null : (FORMS.get(name)?.[0] ?? isAnything),
          children: DEFINITIONS.has(name) ? null : child,
          isInPlace: IN_PLACE.has(name),
        },
      ];
    }),
  );
}

/** A schema that is used directly. */
export interface RootSchema {
  readonly schema: unknown;
  /** Computes the JSON pointer to it, which only faults need. */
  readonly locate: () => string;
}

/** A schema that was found, with those that lead to it. */
interface Found {
  readonly schema: unknown;
  readonly locate: () => string;
  readonly parents: Found[];
  readonly inPlace: Found[];
  fault: SchemaFault | null;
}

/** Finds the schemas of a document that cannot be checked, and all that lead to them. Each is read once. */
export class SchemaFaults {
  readonly #set: SchemaSet;
  readonly #found = new Map<unknown, Found>();
  /** The targets of references. Most schemas are referred to many times. */
  readonly #targets = new Map<string, unknown>();

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /**
   * Whether any of these schemas, or one that they lead to, has a fault. Few documents have any, and this takes less
   * than half of the time of `read`, which finds their places.
   */
  async hasAny(roots: Iterable<unknown>): Promise<boolean> {
    /** Schemas that are not read yet, each followed by the list for the references that it applies to the same value. */
    const pending: unknown[] = [];
    /** For each reference, those that its target applies to the same value. */
    const inPlace = new Map<string, string[]>();
    let count = 0;
    for (const root of roots) {
      pending.push(root, null);
      while (pending.length > 0) {
        const references = pending.pop() as string[] | null;
        const schema = pending.pop();
        if (++count > MAX_QUICK_NODES) return true;
        if (count % NODES_PER_PAUSE === 0 || hasPattern(schema)) await pauseIfDue();
        if (this.#readQuickly(schema, references, pending, inPlace)) return true;
      }
    }
    return hasCycle(inPlace);
  }

  /** @returns whether the schema has a fault */
  #readQuickly(
    schema: unknown,
    references: string[] | null,
    pending: unknown[],
    inPlace: Map<string, string[]>,
  ): boolean {
    if (!isObject(schema)) return typeof schema !== 'boolean';
    const own = this.#ownFields(schema);
    for (const keyword of Object.keys(own)) {
      const role = ROLES.get(keyword);
      if (role === undefined) continue;
      const value = own[keyword];
      if (role.form === null ? this.#findKeywordFault(keyword, value) !== null : !role.form(value)) return true;
      if (keyword === '$ref') {
        const reference = value as string;
        references?.push(reference);
        if (inPlace.has(reference)) continue;
        const ofTarget: string[] = [];
        inPlace.set(reference, ofTarget);
        pending.push(this.#findTarget(reference), ofTarget);
      } else if (role.children !== null && (keyword !== 'dependencies' || this.#set.is30)) {
        const below = role.isInPlace ? references : null;
        if (Array.isArray(value)) for (const child of value) pending.push(child, below);
        else if (role.children === 'one') pending.push(value, below);
        else if (isObject(value)) {
          for (const name of Object.keys(value)) {
            if (keyword !== 'dependencies' || !Array.isArray(value[name])) pending.push(value[name], below);
          }
        }
      }
    }
    return false;
  }

  /** Reads some schemas with everything below them. Ends before the first call of `faultAt`. */
  async read(roots: readonly RootSchema[]): Promise<void> {
    const next: Found[] = [];
    for (const { schema, locate } of roots) this.#add(schema, locate, null, next);
    let count = 0;
    for (let found = next.pop(); found !== undefined; found = next.pop()) {
      if (++count % NODES_PER_PAUSE === 0 || hasPattern(found.schema)) await pauseIfDue();
      found.fault = this.#faultIn(found);
      this.#addChildren(found, next);
    }
    await this.#markLoops();
    await this.#spread();
  }

  /** Why a schema that was read cannot be checked; null if it can be. */
  faultAt(schema: unknown): SchemaFault | null {
    return this.#found.get(schema)?.fault ?? null;
  }

  #add(schema: unknown, locate: () => string, parent: Found | null, queue: Found[]): Found | null {
    if (typeof schema === 'boolean' && !this.#set.is30) return null;
    let found = this.#found.get(schema);
    if (found === undefined) {
      found = { schema, locate, parents: [], inPlace: [], fault: null };
      this.#found.set(schema, found);
      queue.push(found);
    }
    if (parent !== null) found.parents.push(parent);
    return found;
  }

  #faultIn({ schema, locate }: Found): SchemaFault | null {
    if (!isObject(schema)) {
      return typeof schema === 'boolean' ? null : { pointer: locate(), reason: 'must be a schema' };
    }
    const own = this.#ownFields(schema);
    for (const keyword of Object.keys(own)) {
      const reason = this.#findKeywordFault(keyword, own[keyword]);
      if (reason !== null) return { pointer: `${locate()}${toPointer([keyword])}`, reason };
    }
    return null;
  }

  /** In OpenAPI 3.0, fields next to a reference are ignored. */
  #ownFields(schema: JsonObject): JsonObject {
    return this.#set.is30 && typeof schema['$ref'] === 'string' ? { $ref: schema['$ref'] } : schema;
  }

  #findKeywordFault(keyword: string, value: unknown): string | null {
    const form = FORMS.get(keyword);
    if (form !== undefined && !form[0](value)) return `must be ${form[1]}`;
    if (UNSUPPORTED.includes(keyword)) return 'is not supported: use $ref';
    if (keyword === '$ref') return this.#findReferenceFault(value as string);
    if (keyword === '$id') return 'is not supported, because it changes the meaning of references: remove it';
    if (keyword === '$schema' && !(typeof value === 'string' && DIALECTS.test(value))) {
      return this.#set.is30 ? null : 'is not supported: only JSON Schema 2020-12 is';
    }
    if (keyword === 'pattern') return this.#findPatternFault(value as string);
    if (keyword === 'patternProperties') {
      return (
        Object.keys(value as JsonObject)
          .map((pattern) => this.#findPatternFault(pattern))
          .find((reason) => reason !== null) ?? null
      );
    }
    if (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') {
      const isValid = this.#set.is30 ? isFlag(value) || isNumber(value) : isNumber(value);
      return isValid ? null : `must be ${this.#set.is30 ? 'true or false' : 'a number'}`;
    }
    if (keyword === 'items' && Array.isArray(value) && !this.#set.is30)
      return 'must be a schema: use prefixItems for a list';
    return null;
  }

  #findReferenceFault(reference: string): string | null {
    if (reference !== '#' && !reference.startsWith('#/')) {
      return `refers to ${shorten(reference)}: only references such as #/components/schemas/NAME are supported`;
    }
    if (this.#findTarget(reference) === undefined) return `refers to ${shorten(reference)}, which does not exist`;
    return null;
  }

  #findPatternFault(source: string): string | null {
    return this.#set.patterns.findFault(source);
  }

  #findTarget(reference: string): unknown {
    if (reference === '#') return this.#set.root;
    if (!reference.startsWith('#/')) return undefined;
    let target = this.#targets.get(reference);
    if (target === undefined) {
      this.#targets.set(reference, (target = valueAt(this.#set.root, parseSteps(reference))));
    }
    return target;
  }

  /** Adds the schemas below a schema, and the target of its reference. */
  #addChildren(parent: Found, queue: Found[]): void {
    const { schema, locate } = parent;
    if (!isObject(schema)) return;
    const own = this.#ownFields(schema);
    for (const keyword of Object.keys(own)) {
      const value = own[keyword];
      if (keyword === '$ref') {
        const target = typeof value === 'string' ? this.#findTarget(value) : undefined;
        if (target === undefined) continue;
        const found = this.#add(target, () => toReferencePointer(value as string), parent, queue);
        if (found !== null) parent.inPlace.push(found);
        continue;
      }
      const isDependency = keyword === 'dependencies' && this.#set.is30;
      const [, shape] = isDependency ? ['schema', 'map'] : (childBelow(SCHEMA, keyword) ?? []);
      if (shape === undefined || DEFINITIONS.has(keyword)) continue;
      const add = (child: unknown, steps: readonly string[]) => {
        const found = this.#add(child, () => locate() + toPointer([keyword, ...steps]), parent, queue);
        if (found !== null && IN_PLACE.has(keyword)) parent.inPlace.push(found);
      };
      if (Array.isArray(value)) value.forEach((child, index) => add(child, [String(index)]));
      else if (shape === 'one') add(value, NO_STEPS);
      else if (shape === 'map' && isObject(value)) {
        for (const name of Object.keys(value)) {
          if (!(isDependency && Array.isArray(value[name]))) add(value[name], [name]);
        }
      }
    }
  }

  /** Finds schemas that apply themselves to the same value. Checking them would not end. */
  async #markLoops(): Promise<void> {
    const states = new Map<Found, 'open' | 'done'>();
    let count = 0;
    for (const start of this.#found.values()) {
      if (start.inPlace.length === 0 || states.has(start)) continue;
      const stack: { readonly found: Found; at: number }[] = [{ found: start, at: 0 }];
      states.set(start, 'open');
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        if (++count % NODES_PER_PAUSE === 0) await pauseIfDue();
        const next = top.found.inPlace[top.at++];
        if (next === undefined) {
          states.set(top.found, 'done');
          stack.pop();
        } else if (states.get(next) === 'open') {
          next.fault ??= { pointer: next.locate(), reason: 'is a schema that applies itself to the same value' };
        } else if (!states.has(next)) {
          states.set(next, 'open');
          stack.push({ found: next, at: 0 });
        }
      }
    }
  }

  /** Gives each fault to all schemas that lead to it. */
  async #spread(): Promise<void> {
    const faulty = [...this.#found.values()].filter(({ fault }) => fault !== null);
    let count = 0;
    for (const found of faulty) {
      if (++count % NODES_PER_PAUSE === 0) await pauseIfDue();
      for (const parent of found.parents) {
        if (parent.fault !== null) continue;
        parent.fault = found.fault;
        faulty.push(parent);
      }
    }
  }
}

const NODES_PER_PAUSE = 128;
/** Aliases in YAML can make a short document a tree of any size. `read` reads each of its schemas once. */
const MAX_QUICK_NODES = 2_000_000;

/** Whether references lead back to themselves. */
function hasCycle(graph: ReadonlyMap<string, readonly string[]>): boolean {
  const states = new Map<string, 'open' | 'done'>();
  for (const [start, first] of graph) {
    if (first.length === 0 || states.has(start)) continue;
    states.set(start, 'open');
    const stack = [{ name: start, next: first, at: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const name = top.next[top.at++];
      if (name === undefined) {
        states.set(top.name, 'done');
        stack.pop();
      } else if (states.get(name) === 'open') {
        return true;
      } else if (!states.has(name)) {
        states.set(name, 'open');
        stack.push({ name, next: graph.get(name) ?? [], at: 0 });
      }
    }
  }
  return false;
}

/** Compiling a pattern can take a few milliseconds. */
function hasPattern(schema: unknown): boolean {
  return isObject(schema) && (schema['pattern'] !== undefined || schema['patternProperties'] !== undefined);
}

function toReferencePointer(reference: string): string {
  return reference === '#' ? '' : toPointer(parseSteps(reference));
}

export function toPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${escapePointerStep(step)}`).join('');
}
