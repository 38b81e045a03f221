import type { JSONPathQuery } from 'json-p3';
import { dotted, type Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { printable } from '../base/text.ts';
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
  /** Steps to it from the root of the overlay. */
  readonly at: Steps;
  readonly target: string;
  readonly query: JSONPathQuery;
  readonly remove: boolean;
  /** A query of exactly one value, which is merged into the targets. */
  readonly copy: JSONPathQuery | null;
  /** Undefined: nothing is merged. */
  readonly update: unknown;
}

export interface OverlayText {
  readonly file: string;
  readonly text: string;
}

/**
 * Applies overlays to a document, in their order. Adds to `faults` what is wrong with an overlay, and to `warnings` the
 * targets that match nothing.
 *
 * @returns the document as if it had been written like this, in which a value of an overlay is located there; null
 *   after an error
 */
export function applyOverlays(
  document: YamlFile,
  overlays: readonly OverlayText[],
  faults: Faults,
  warnings: string[],
): YamlFile | null {
  const before = faults.count;
  const read = overlays.map(({ file, text }) => readOverlay(file, text, faults));
  if (faults.count > before) return null;
  const patched = new Patched(document);
  for (const overlay of read) {
    for (const action of overlay?.actions ?? []) {
      if (overlay !== null && !applyAction(patched, overlay, action, faults, warnings)) return null;
    }
  }
  return { path: document.path, value: patched.value, locate: (path) => patched.locate(path) };
}

const VERSION = /^(1\.[01])\.\d+$/;
const FIELDS = {
  overlay: ['overlay', 'info', 'extends', 'actions'],
  info: ['title', 'version'],
  action: ['target', 'description', 'update', 'remove'],
};

/** @returns null after an error */
export function readOverlay(file: string, text: string, faults: Faults): Overlay | null {
  const yaml = parseYaml(file, text, faults);
  if (yaml === null) return null;
  const before = faults.count;
  const add = (at: Steps, what: string) => faults.add(yaml.locate(at), dotted(at), what);
  const { value } = yaml;
  if (!isObject(value)) {
    add([], 'must be an overlay: a map with overlay, info and actions');
    return null;
  }
  const [, version] = VERSION.exec(typeof value['overlay'] === 'string' ? value['overlay'] : '') ?? [];
  if (version === undefined) {
    add(['overlay'], 'must be the version of the Overlay Specification, in quotes: "1.0.0" or "1.1.0"');
    return null;
  }
  const isLater = version === '1.1';
  const known = (at: Steps, object: JsonObject, fields: readonly string[]) => {
    for (const field of Object.keys(object)) {
      if (fields.includes(field) || field.startsWith('x-')) continue;
      add([...at, field], `is not a field of an overlay ${version}: use one of ${fields.join(', ')}, or remove it`);
    }
  };
  const checkText = (at: Steps, given: unknown, isRequired: boolean) => {
    if (given === undefined ? isRequired : typeof given !== 'string') {
      add(at, given === undefined ? 'is missing: add it' : 'must be text');
    }
  };
  known([], value, FIELDS.overlay);
  checkText(['extends'], value['extends'], false);
  const { info, actions } = value;
  if (!isObject(info)) add(['info'], 'must be a map with title and version');
  else {
    known(['info'], info, isLater ? [...FIELDS.info, 'description'] : FIELDS.info);
    checkText(['info', 'title'], info['title'], true);
    checkText(['info', 'version'], info['version'], true);
    if (isLater) checkText(['info', 'description'], info['description'], false);
  }
  const usable: Action[] = [];
  const seen = new Set<string>();
  if (!Array.isArray(actions) || actions.length === 0) add(['actions'], 'must be a list of at least one action');
  for (const [index, action] of (Array.isArray(actions) ? (actions as unknown[]) : []).entries()) {
    const at = ['actions', index];
    if (!isObject(action)) {
      add(at, 'must be a map with a target');
      continue;
    }
    const json = JSON.stringify(action);
    if (seen.has(json)) add(at, 'is the same as an earlier action: remove one');
    seen.add(json);
    known(at, action, isLater ? [...FIELDS.action, 'copy'] : FIELDS.action);
    checkText([...at, 'description'], action['description'], false);
    const { remove = false } = action;
    if (typeof remove !== 'boolean') add([...at, 'remove'], 'must be true or false');
    const query = (field: 'target' | 'copy') => {
      checkText([...at, field], action[field], field === 'target');
      const given = action[field];
      if (typeof given !== 'string') return null;
      try {
        return compileQuery(given);
      } catch (error) {
        if (!(error instanceof QueryFault)) throw error;
        add([...at, field], error.message);
        return null;
      }
    };
    const target = query('target');
    const copy = isLater ? query('copy') : null;
    if (target === null) continue;
    usable.push({
      at,
      target: String(action['target']),
      query: target,
      remove: remove === true,
      copy,
      update: action['update'],
    });
  }
  return faults.count > before ? null : { yaml, version: isLater ? '1.1' : '1.0', actions: usable };
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
    faults.add(yaml.locate(at), dotted(at), what);
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
  const places = find(action.query, 'target');
  if (places === null) return false;
  if (places.length === 0) {
    const target = printable(action.target);
    warnings.push(`${yaml.locate(action.at)}: the target ${target} matches nothing: correct or remove the action`);
    return true;
  }
  if (action.remove) {
    return patched.remove(places) || fault('target', 'is the whole document, which cannot be removed');
  }
  let source: Origin = { file: yaml, path: [...action.at, 'update'] };
  let value = action.update;
  if (action.copy !== null) {
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

/** Where a value was written. */
interface Origin {
  readonly file: YamlFile;
  readonly path: Steps;
}

type Container = Record<string | number, unknown>;

/** An update may select thousands of places, and a copy contain itself: a document would become gigabytes. */
const MAX_ADDED_BYTES = 50_000_000;
/** About what an object or list takes, and each step to it. */
const CONTAINER_BYTES = 200;
const STEP_BYTES = 8;

/** A copy of a document, with changes. */
class Patched {
  value: unknown;
  readonly #origins = new WeakMap<object, Origin>();
  /** The values in objects and lists that came from elsewhere. */
  readonly #replaced = new WeakMap<object, Map<string | number, Origin>>();
  #added = 0;
  #isPatching = false;

  constructor(document: YamlFile) {
    // Aliases of YAML repeat the same object, so it is copied for each place.
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

  /** @returns false if one is the whole document */
  remove(places: readonly Steps[]): boolean {
    // From the last to the first, so that the indexes of the others stay the same.
    for (const steps of places.toSorted(compareSteps).toReversed()) {
      const last = steps.at(-1);
      if (last === undefined) return false;
      const parent = valueAt(this.value, steps.slice(0, -1));
      if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else if (isObject(parent)) delete (parent as Container)[last];
    }
    return true;
  }

  /** @returns what is wrong, or null */
  update(steps: Steps, value: unknown, origin: Origin, version: Overlay['version']): string | null {
    const target = valueAt(this.value, steps);
    if (Array.isArray(target)) {
      // 1.0 appends one entry, 1.1 concatenates a list.
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

/** In the order of the document, as far as lists are concerned; a list before its entries. */
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
