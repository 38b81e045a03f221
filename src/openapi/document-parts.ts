import { isObject, type JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { parseComponentReference, objectAt, listReferences } from './components.ts';
import { parseSteps, valueAt } from './pointer.ts';

/** Replaces a schema that would make a part too large. Its value is the name by which the schema can be requested. */
export const LEFT_OUT = 'x-tollgate-left-out';

/** Schemas and examples that exceed this size are left out of a part. */
const MAX_PART_BYTES = 256 * 1024;
/** Maximum size of the names that replace schemas. Beyond it, schemas are left out without a name. */
const MAX_LEFT_OUT_BYTES = 256 * 1024;
/** Maximum number of field names that `fieldsOf` returns, nearest first. */
export const MAX_FIELDS = 300;
/**
 * Maximum number of components that `fieldsOf` reads, nearest first. Thousands of operations may reach thousands of
 * schemas.
 */
const MAX_READ = 100;
const MAX_FIELD_LENGTH = 100;

const NODES_PER_PAUSE = 256;

/** A summary of one node of a document, such as a component. */
interface Scan {
  /** Approximate length as JSON. */
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

/** How to continue after a target: `follow` visits its references, `skip` does not, and `stop` ends the whole visit. */
type Next = 'follow' | 'skip' | 'stop';

/** Maximum number of places outside of `components` that one part may refer to, as in bundled documents. */
const MAX_PLACES = 100;

/** Splits an OpenAPI document into parts that can be read without the rest. */
export class DocumentParts {
  readonly #document: JsonObject;
  /** Summaries of nodes. A component is in many parts, but is read only once. */
  readonly #scans = new WeakMap<object, Scan>();
  /** Targets by reference; null: the reference leads to nothing. */
  readonly #targets = new Map<string, Target | null>();
  /** Targets by path, because references to the same place may be spelled differently. */
  readonly #targetsByPath = new Map<string, Target>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /**
   * A document with the given `paths`, `webhooks` or `components` of this document and everything that they refer to,
   * nearest first. Examples and schemas that would make it too large are left out. A schema is replaced by `{
   * [LEFT_OUT]: name }`.
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
    const ownComponents = objectAt(roots, 'components');
    const kinds = new Set([...components.keys(), ...Object.keys(ownComponents)]);
    const part = {
      ...roots,
      components: Object.fromEntries(
        [...kinds].map((kind) => [
          kind,
          Object.fromEntries([...(components.get(kind) ?? []), ...Object.entries(objectAt(ownComponents, kind))]),
        ]),
      ),
    };
    return places.reduce<JsonObject>((sum, { path, value }) => withPlace(sum, path, value) as JsonObject, part);
  }

  /**
   * The names of the parameters and fields in the given parts of the document and in everything they refer to, nearest
   * first.
   */
  async fieldsOf(roots: JsonObject): Promise<readonly string[]> {
    const fields = new Set((await this.#scan(roots)).fields);
    let read = 0;
    await this.#visitNearest(roots, (_, scan) => {
      for (const name of scan.fields) fields.add(name);
      return fields.size < MAX_FIELDS && ++read < MAX_READ ? 'follow' : 'stop';
    });
    return [...fields].slice(0, MAX_FIELDS);
  }

  /** Visits everything that a node refers to, directly or through other nodes, nearest first. */
  async #visitNearest(from: JsonObject, visit: (target: Target, scan: Scan) => Next): Promise<void> {
    const seen = new Set<Target>();
    const queue: unknown[] = [from];
    // This does not recurse, because a chain of references may be longer than the stack.
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

  /**
   * Finds the whole component that a reference points to or into. Outside of `components`, finds the place itself.
   */
  #targetOf(reference: string): Target | null {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known;
    const target = this.#findTarget(reference);
    this.#targets.set(reference, target);
    return target;
  }

  #findTarget(reference: string): Target | null {
    if (!reference.startsWith('#/')) return null;
    const componentReference = parseComponentReference(reference);
    const path =
      componentReference === null
        ? parseSteps(reference)
        : ['components', componentReference.kind, componentReference.name];
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

/** A list or map whose children from `at` on have not been visited yet. There may be hundreds of thousands of them. */
type Walk = { readonly is: Kind; at: number } & (
  | { readonly children: readonly unknown[]; readonly keys: null }
  | { readonly children: JsonObject; readonly keys: readonly string[] }
);

/** An object of OpenAPI, a map of schemas by field name, or a value. A value may look like anything. */
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

/** A node with a value added at a path. Anything that is already there stays unchanged. */
function withPlace(node: unknown, [step, ...deeper]: readonly string[], value: unknown): unknown {
  if (step === undefined) return node ?? value;
  const before = Object(node) as JsonObject;
  const child = Object.hasOwn(before, step) ? before[step] : undefined;
  const inner = withPlace(child, deeper, value);
  if (inner === child) return node;
  if (Array.isArray(node)) return Object.hasOwn(node, step) ? node.with(Number(step), inner) : node;
  return Object.fromEntries([...Object.entries(before).filter(([key]) => key !== step), [step, inner]]);
}
