import { isObject, type JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { parseComponentReference, objectAt, listReferences } from './components.ts';
import { parseSteps, valueAt } from './pointer.ts';

/** In place of a schema that would make a part too large: its name, by which it can be asked for. */
export const LEFT_OUT = 'x-tollgate-left-out';

/** Schemas and examples beyond this are left out of a part. */
const MAX_PART_BYTES = 256 * 1024;
/** The names in place of schemas that are left out may take as much again. Schemas beyond that are missing. */
const MAX_LEFT_OUT_BYTES = 256 * 1024;
/** Names of fields that `fieldsOf` returns at most: the nearest ones. */
export const MAX_FIELDS = 300;
/** Components that `fieldsOf` reads at most, the nearest ones: thousands of operations may reach thousands of schemas. */
const MAX_READ = 100;
const MAX_FIELD_LENGTH = 100;

const NODES_PER_PAUSE = 256;

/** A summary of one node of a document, such as a component. */
interface Scan {
  /** About its length as JSON. */
  readonly bytes: number;
  readonly references: readonly string[];
  /** Names of properties and parameters. */
  readonly fields: ReadonlySet<string>;
}

interface Target {
  /** Steps from the root of the document. */
  readonly path: readonly string[];
  readonly value: JsonObject;
}

/** Whether to go on from a target, to its neighbours only, or not at all. */
type Next = 'follow' | 'skip' | 'stop';

/** Places outside of `components` that one part may refer to; documents that tools have bundled have them. */
const MAX_PLACES = 100;

/** Takes an OpenAPI document apart, so that each part can be read without the others. */
export class DocumentParts {
  readonly #document: JsonObject;
  /** Components are in many parts, and read once. */
  readonly #scans = new WeakMap<object, Scan>();
  /** By reference. Null: there is nothing. */
  readonly #targets = new Map<string, Target | null>();
  /** By path: references to the same place may be spelled differently. */
  readonly #targetsByPath = new Map<string, Target>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /**
   * A document with `paths`, `webhooks` or `components` of this one, and whatever they refer to, the nearest first. What
   * would make it too large is left out: examples, and schemas, which become `{ [LEFT_OUT]: name }`.
   */
  async partWith(roots: JsonObject): Promise<JsonObject> {
    const components = new Map<string, Map<string, unknown>>();
    const places: Target[] = [];
    let bytesLeft = MAX_PART_BYTES;
    let leftOutBytesLeft = MAX_LEFT_OUT_BYTES;
    await this.#visitNearest(roots, (target, { bytes }) => {
      const { path, value } = target;
      const [top, kind = '', name = ''] = path;
      if (top !== 'components') return places.length < MAX_PLACES && places.push(target) > 0 ? 'follow' : 'skip';
      const needed = bytes + name.length;
      const isTooLarge = (kind === 'schemas' || kind === 'examples') && needed > bytesLeft;
      const entries = components.get(kind) ?? new Map<string, unknown>();
      components.set(kind, entries);
      if (!isTooLarge) {
        bytesLeft -= needed;
        entries.set(name, value);
        return 'follow';
      }
      leftOutBytesLeft -= name.length + LEFT_OUT.length;
      if (kind === 'schemas' && leftOutBytesLeft >= 0) entries.set(name, { [LEFT_OUT]: name });
      return 'skip';
    });
    const own = objectAt(roots, 'components');
    const kinds = new Set([...components.keys(), ...Object.keys(own)]);
    const part = {
      ...roots,
      components: Object.fromEntries(
        [...kinds].map((kind) => [
          kind,
          Object.fromEntries([...(components.get(kind) ?? []), ...Object.entries(objectAt(own, kind))]),
        ]),
      ),
    };
    return places.reduce<JsonObject>((sum, { path, value }) => withPlace(sum, path, value) as JsonObject, part);
  }

  /** The names of the parameters and fields in some parts of the document, and in what these refer to, the nearest first. */
  async fieldsOf(roots: JsonObject): Promise<readonly string[]> {
    const fields = new Set((await this.#scan(roots)).fields);
    let read = 0;
    await this.#visitNearest(roots, (_, scan) => {
      for (const name of scan.fields) fields.add(name);
      return fields.size < MAX_FIELDS && ++read < MAX_READ ? 'follow' : 'stop';
    });
    return [...fields].slice(0, MAX_FIELDS);
  }

  /** Visits what a node refers to, in rings around it. */
  async #visitNearest(from: JsonObject, visit: (target: Target, scan: Scan) => Next): Promise<void> {
    const seen = new Set<Target>();
    const queue: unknown[] = [from];
    // Not by recursion: a chain of references may be longer than the stack.
    for (const node of queue) {
      for (const reference of (await this.#scan(node)).references) {
        await pauseIfDue();
        const target = this.#targetOf(reference);
        if (target === null || seen.has(target)) continue;
        seen.add(target);
        const next = visit(target, await this.#scan(target.value));
        if (next === 'stop') return;
        if (next === 'follow') queue.push(target.value);
      }
    }
  }

  /** A whole component, or a place somewhere else in the document. */
  #targetOf(reference: string): Target | null {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known;
    const target = this.#findTarget(reference);
    this.#targets.set(reference, target);
    return target;
  }

  #findTarget(reference: string): Target | null {
    if (!reference.startsWith('#/')) return null;
    const component = parseComponentReference(reference);
    const path = component === null ? parseSteps(reference) : ['components', component.kind, component.name];
    const value = valueAt(this.#document, path);
    if (!isObject(value)) return null;
    const key = JSON.stringify(path);
    const target = this.#targetsByPath.get(key) ?? { path, value };
    this.#targetsByPath.set(key, target);
    return target;
  }

  async #scan(node: unknown): Promise<Scan> {
    const known = typeof node === 'object' && node !== null ? this.#scans.get(node) : undefined;
    if (known !== undefined) return known;
    let [bytes, count] = [0, 0];
    const references = new Set<string>();
    const fields = new Set<string>();
    const seen = new Set<unknown>();
    const walks: Walk[] = [];

    const enter = (value: unknown, is: Kind) => {
      bytes += typeof value === 'string' ? value.length + 3 : 6;
      if (typeof value !== 'object' || value === null || seen.has(value)) return;
      seen.add(value);
      if (Array.isArray(value)) {
        walks.push({ children: value, keys: null, is, at: 0 });
        return;
      }
      const object = value as JsonObject;
      const keys = Object.keys(object);
      if (is === 'map') for (const name of keys.slice(0, MAX_FIELDS)) addField(fields, name);
      if (is === 'node') {
        for (const reference of listReferences(object)) references.add(reference);
        if (typeof object['in'] === 'string') addField(fields, object['name']);
      }
      walks.push({ children: object, keys, is, at: 0 });
    };

    enter(node, 'node');
    for (let walk = walks.at(-1); walk !== undefined; walk = walks.at(-1)) {
      if (++count % NODES_PER_PAUSE === 0) await pauseIfDue();
      const at = walk.at++;
      const { is } = walk;
      if (at === (walk.keys ?? walk.children).length) walks.pop();
      else if (walk.keys === null) enter(walk.children[at], is);
      else {
        const key = walk.keys[at] ?? '';
        bytes += key.length + 4;
        enter(walk.children[key], chooseKind(is, key));
      }
    }
    const scan = { bytes, references: [...references], fields };
    if (typeof node === 'object' && node !== null) this.#scans.set(node, scan);
    return scan;
  }
}

/** The children of a list or map that are left to visit, from `at` on: there may be hundreds of thousands. */
type Walk = { readonly is: Kind; at: number } & (
  | { readonly children: readonly unknown[]; readonly keys: null }
  | { readonly children: JsonObject; readonly keys: readonly string[] }
);

/** Something of OpenAPI, a map of schemas by the names of fields, or a value, which may look like anything. */
type Kind = 'node' | 'map' | 'value';

const VALUES = new Set(['const', 'default', 'enum', 'example', 'value']);

function chooseKind(outer: Kind, key: string): Kind {
  if (outer !== 'node') return outer === 'map' ? 'node' : 'value';
  if (VALUES.has(key)) return 'value';
  return key === 'properties' ? 'map' : 'node';
}

function addField(fields: Set<string>, name: unknown): void {
  if (typeof name === 'string' && name.length <= MAX_FIELD_LENGTH && fields.size < MAX_FIELDS) fields.add(name);
}

/** With a value at a path, beside what is there. What is there already stays as it is. */
function withPlace(node: unknown, [step, ...deeper]: readonly string[], value: unknown): unknown {
  if (step === undefined) return node ?? value;
  const before = Object(node) as JsonObject;
  const child = Object.hasOwn(before, step) ? before[step] : undefined;
  const inner = withPlace(child, deeper, value);
  if (inner === child) return node;
  if (Array.isArray(node)) return Object.hasOwn(node, step) ? node.with(Number(step), inner) : node;
  return Object.fromEntries([...Object.entries(before).filter(([key]) => key !== step), [step, inner]]);
}
