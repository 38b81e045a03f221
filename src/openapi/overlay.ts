import type { JSONPathQuery } from 'json-p3';
import { z } from 'zod';
import { formatPath, type Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { readCpuMs } from '../base/run-within.ts';
import { toPrintable } from '../base/text.ts';
import { MAX_DEPTH, parseYaml, type YamlFile } from '../base/yaml.ts';
import { compileQuery, findPlaces, QueryFault, type Steps } from './overlay-query.ts';
import { valueAt } from './pointer.ts';

/** An overlay of the OpenAPI Overlay Specification, 1.0 or 1.1. */
interface Overlay {
  readonly yaml: YamlFile;
  readonly version: '1.0' | '1.1';
  readonly actions: readonly Action[];
}

interface Action {
  /** Steps to the action from the root of the overlay. */
  readonly at: Steps;
  readonly target: JSONPathQuery;
  readonly remove: boolean;
  /** A query that selects exactly one value, which is merged into the targets. */
  readonly copy?: JSONPathQuery | undefined;
  /** The value to merge into the targets; undefined if there is none. */
  readonly update?: unknown;
}

export interface OverlayText {
  readonly file: string;
  readonly text: string;
}

const MAX_OVERLAYS_MS = 30_000;

/**
 * Applies overlays to a document, in their order. Adds errors in an overlay to `faults`, and targets that match nothing
 * to `warnings`.
 *
 * @param limitMs processor time of all actions together: each may take seconds, and there may be thousands
 * @returns the changed document, which locates each value in the file that it comes from; null after an error
 */
export function applyOverlays(
  document: YamlFile,
  overlays: readonly OverlayText[],
  faults: Faults,
  warnings: string[],
  limitMs = MAX_OVERLAYS_MS,
): YamlFile | null {
  const before = faults.count;
  const read = overlays.map(({ file, text }) => readOverlay(file, text, faults));
  if (faults.count > before) return null;
  const patched = new Patched(document);
  const startedMs = readCpuMs();
  for (const overlay of read.filter((each) => each !== null)) {
    for (const action of overlay.actions) {
      if (!applyAction(patched, overlay, action, faults, warnings)) return null;
      if (readCpuMs() - startedMs <= limitMs) continue;
      const what = `ends after more than ${limitMs / 1000} s for all overlays of the document: use fewer actions, or more specific targets`;
      faults.add(overlay.yaml.locate(action.at), formatPath(action.at), what);
      return null;
    }
  }
  return { path: document.path, value: patched.value, locate: (path) => patched.locate(path) };
}

const VERSION = /^(1\.[01])\.\d+$/;

const query = z.string().transform((text, context): JSONPathQuery => {
  try {
    return compileQuery(text);
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

const schemas = { '1.0': overlaySchema('1.0'), '1.1': overlaySchema('1.1') };

/** @returns null after an error */
export function readOverlay(file: string, text: string, faults: Faults): Overlay | null {
  const yaml = parseYaml(file, text, faults);
  if (yaml === null) return null;
  const given = isObject(yaml.value) ? yaml.value['overlay'] : undefined;
  const [, minor] = VERSION.exec(typeof given === 'string' ? given : '') ?? [];
  const version = minor === '1.1' ? '1.1' : '1.0';
  const parsed = schemas[version].safeParse(yaml.value, { reportInput: true });
  if (!parsed.success) {
    faults.addZod(parsed.error, yaml.locate);
    return null;
  }
  const actions = parsed.data.actions.map((action, index) => ({ ...action, at: ['actions', index] }));
  return { yaml, version, actions };
}

function overlaySchema(version: Overlay['version']) {
  const later = <Schema extends z.ZodType>(schema: Schema) => {
    const isAllowed = (value: unknown) => version === '1.1' || value === undefined;
    return schema.optional().refine(isAllowed, 'needs overlay: "1.1.0"');
  };
  const what = 'must be the version of the Overlay Specification, in quotes: "1.0.0" or "1.1.0"';
  const action = extensible({
    target: query,
    description: z.string().optional(),
    update: z.unknown().optional(),
    remove: z.boolean().default(false),
    copy: later(query),
  });
  return extensible({
    overlay: z.string(what).regex(VERSION, what),
    info: extensible({ title: z.string(), version: z.string(), description: later(z.string()) }),
    extends: z.string().optional(),
    actions: z
      .array(z.unknown())
      .min(1, 'must have at least one action')
      .superRefine(refuseRepeated)
      .pipe(z.array(action)),
  });
}

/** Reports unknown fields of an object in an overlay, except fields that begin with `x-`. */
function extensible<Shape extends z.ZodRawShape>(shape: Shape) {
  const withoutExtensions = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('x-'))) : value;
  return z.preprocess(withoutExtensions, z.strictObject(shape));
}

function refuseRepeated(actions: readonly unknown[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    const json = JSON.stringify(action);
    if (seen.has(json)) {
      context.addIssue({ code: 'custom', path: [index], message: 'is the same as an earlier action: remove one' });
    }
    seen.add(json);
  }
}

/** @returns false after an error */
function applyAction(
  patched: Patched,
  { yaml, version }: Overlay,
  action: Action,
  faults: Faults,
  warnings: string[],
): boolean {
  const fault = (field: string, what: string) => {
    const at = [...action.at, field];
    faults.add(yaml.locate(at), formatPath(at), what);
    return false;
  };
  const find = (query: JSONPathQuery, field: string) => {
    try {
      return findPlaces(query, patched.value);
    } catch (error) {
      if (!(error instanceof QueryFault)) throw error;
      fault(field, error.message);
      return null;
    }
  };
  const places = find(action.target, 'target');
  if (places === null) return false;
  if (places.length === 0) {
    const target = toPrintable(String(valueAt(yaml.value, [...action.at, 'target'])));
    warnings.push(`${yaml.locate(action.at)}: the target ${target} matches nothing: correct or remove the action`);
    return true;
  }
  if (action.remove) {
    return patched.remove(places) || fault('target', 'is the whole document, which cannot be removed');
  }
  let source: Origin = { file: yaml, path: [...action.at, 'update'] };
  let value = action.update;
  if (action.copy !== undefined) {
    const [copied, ...others] = find(action.copy, 'copy') ?? [];
    if (copied === undefined || others.length > 0) return fault('copy', 'must select exactly one value');
    source = patched.originAt(copied);
    const update = value;
    value = valueAt(patched.value, copied);
    for (const steps of places) {
      const what = patched.update(steps, value, source, version);
      if (what !== null) return fault('copy', what);
    }
    if (update === undefined) return true;
    value = update;
    source = { file: yaml, path: [...action.at, 'update'] };
  }
  if (value === undefined) return true;
  for (const steps of places) {
    const what = patched.update(steps, value, source, version);
    if (what !== null) return fault('update', what);
  }
  return true;
}

/** The file and place where a value was written. */
interface Origin {
  readonly file: YamlFile;
  readonly path: Steps;
}

type Container = Record<string | number, unknown>;

/** An update may select thousands of places, and a copy may contain itself. A document could become gigabytes. */
const MAX_ADDED_BYTES = 50_000_000;
/** Approximate sizes of an object or list, and of each step to it. */
const CONTAINER_BYTES = 200;
const STEP_BYTES = 8;

/** A copy of a document, with changes. */
class Patched {
  value: unknown;
  readonly #origins = new WeakMap<object, Origin>();
  /** The origins of values that were added to objects and lists. */
  readonly #replaced = new WeakMap<object, Map<string | number, Origin>>();
  #added = 0;
  #isPatching = false;

  constructor(document: YamlFile) {
    // An alias of YAML repeats the same object, so each place gets its own copy.
    this.value = this.#copy(document.value, { file: document, path: [] });
    this.#added = 0;
    this.#isPatching = true;
  }

  locate(path: readonly PropertyKey[]): string {
    const { file, path: at } = this.originAt(path as Steps);
    return file.locate(at);
  }

  originAt(path: Steps): Origin {
    let node = this.value;
    let origin = this.#origins.get(Object(node) as object);
    for (const step of path) {
      const child = valueAt(node, [step]);
      const replaced = this.#replaced.get(Object(node) as object)?.get(step);
      const own = this.#origins.get(Object(child) as object);
      origin = own ?? replaced ?? (origin && { file: origin.file, path: [...origin.path, step] });
      node = child;
    }
    if (origin === undefined) throw new Error('a value without an origin');
    return origin;
  }

  /** @returns false if one of the places is the whole document */
  remove(places: readonly Steps[]): boolean {
    // Entries are removed from the last to the first, so that the indexes of the remaining ones stay valid.
    for (const steps of places.toSorted(compareSteps).toReversed()) {
      const last = steps.at(-1);
      if (last === undefined) return false;
      const parent = valueAt(this.value, steps.slice(0, -1));
      if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else if (isObject(parent)) delete (parent as Container)[last];
    }
    return true;
  }

  /** @returns the error, or null */
  update(steps: Steps, value: unknown, origin: Origin, version: Overlay['version']): string | null {
    const target = valueAt(this.value, steps);
    if (Array.isArray(target)) {
      // Version 1.0 appends the value as one entry, and 1.1 concatenates lists.
      const isList = version === '1.1' && Array.isArray(value);
      const entries = isList ? [...(value as unknown[]).entries()] : [[null, value] as const];
      for (const [index, entry] of entries) {
        this.#set(
          target as unknown as Container,
          target.length,
          entry,
          index === null ? origin : within(origin, index),
        );
      }
    } else if (isObject(target)) {
      if (!isObject(value)) return 'must be a map, because the target is one';
      this.#merge(target, value, origin);
    } else if (version === '1.0') return 'needs a target that is a map or a list';
    else if (typeof value === 'object' && value !== null) return 'must be a single value, because the target is one';
    else this.#set(valueAt(this.value, steps.slice(0, -1)) as Container, steps.at(-1) ?? '', value, origin);
    if (this.#added > MAX_ADDED_BYTES) return 'makes the document too large: select fewer places';
    return isDeeper(value, MAX_DEPTH - steps.length) ? `nests the document more than ${MAX_DEPTH} levels deep` : null;
  }

  #merge(target: Container, value: JsonObject, origin: Origin): void {
    for (const [key, child] of Object.entries(value)) {
      const before = Object.hasOwn(target, key) ? target[key] : undefined;
      const at = within(origin, key);
      if (isObject(before) && isObject(child)) this.#merge(before, child, at);
      else if (Array.isArray(before) && Array.isArray(child)) {
        for (const [index, entry] of (child as unknown[]).entries()) {
          this.#set(before as unknown as Container, before.length, entry, within(at, index));
        }
      } else this.#set(target, key, child, at);
    }
  }

  #set(parent: Container, key: string | number, value: unknown, origin: Origin): void {
    // Assigning `__proto__` would change what the object inherits.
    const copy = this.#copy(value, origin);
    Object.defineProperty(parent, key, { value: copy, writable: true, enumerable: true, configurable: true });
    const replaced = this.#replaced.get(parent) ?? new Map<string | number, Origin>();
    this.#replaced.set(parent, replaced.set(key, origin));
  }

  #copy(value: unknown, origin: Origin): unknown {
    this.#added += typeof value === 'string' ? value.length + STEP_BYTES : STEP_BYTES;
    if (typeof value !== 'object' || value === null) return value;
    this.#added += CONTAINER_BYTES + STEP_BYTES * origin.path.length;
    if (this.#isPatching && this.#added > MAX_ADDED_BYTES) return value;
    const copy = Array.isArray(value)
      ? value.map((each, index) => this.#copy(each, within(origin, index)))
      : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#copy(each, within(origin, key))]));
    this.#origins.set(copy, origin);
    return copy;
  }
}

function within({ file, path }: Origin, step: string | number): Origin {
  return { file, path: [...path, step] };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels <= 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}

/** Sorts places so that list entries are in the order of the document and a list comes before its entries. */
function compareSteps(one: Steps, other: Steps): number {
  for (const [index, step] of one.entries()) {
    const its = other[index];
    if (its === undefined) return 1;
    if (step === its) continue;
    if (typeof step === 'number' && typeof its === 'number') return step - its;
    return String(step) < String(its) ? -1 : 1;
  }
  return one.length - other.length;
}
