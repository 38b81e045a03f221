import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { formatPath, type Faults } from './configuration-faults.ts';
import { readConfiguredFile } from './configured-file.ts';
import { readJson } from './json-file.ts';

/** A parsed YAML or JSON file that knows the line of each value. */
export interface YamlFile {
  readonly path: string;
  /** The content, which JSON can express. No key is `__proto__`, and no value contains itself. */
  readonly value: unknown;
  /** Returns `file:line` of the value at a path, or of its nearest existing ancestor. */
  readonly locate: (path: readonly PropertyKey[]) => string;
}

/** Maximum number of errors reported for a file. It is low because one YAML error often causes many more. */
const MAX_FAULTS = 20;

/**
 * Reads and parses a file. If that fails, adds the errors to `faults` and returns null.
 *
 * @param read returns the text of the file, or throws an error with a `code`
 */
export function readYaml(path: string, faults: Faults, read = readConfiguredFile): YamlFile | null {
  const text = readText(path, faults, read);
  return text === null ? null : parseYaml(path, text, faults);
}

/** Like `readYaml`, but returns the text without parsing it. */
export function readText(path: string, faults: Faults, read = readConfiguredFile): string | null {
  try {
    return read(path);
  } catch (error) {
    faults.add(
      path,
      '',
      `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}): check the path and its permissions`,
    );
    return null;
  }
}

/** Like `readYaml`, for a text that was already read. */
export function parseYaml(path: string, text: string, faults: Faults): YamlFile | null {
  const json = readJson(text, MAX_DEPTH);
  if (json !== null) return { path, value: json.value, locate: (at) => `${path}:${json.findLine(at)}` };
  const lines = new LineCounter();
  const locateOffset = (offset: number) => `${path}:${lines.linePos(offset).line}`;
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // `YamlValues` checks for repeated keys, because the library's check takes quadratic time in the number of keys.
    uniqueKeys: false,
  });
  let count = 0;
  const add = (where: string, at: string, message: string) => {
    if (count++ < MAX_FAULTS) faults.add(where, at, message);
  };
  if (document.directives.yaml.version === '1.1') {
    add(locateOffset(0), '', 'declares YAML 1.1, but is read as YAML 1.2: remove the line %YAML 1.1');
  }
  const problems = [...document.errors, ...document.warnings];
  const isTooDeep = problems.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (isTooDeep) add(path, '', `is nested more than ${MAX_DEPTH} levels deep`);
  else for (const { pos, message } of problems) add(locateOffset(pos[0]), '', `is not valid YAML: ${message}`);
  if (count > 0) return null;
  const values = new YamlValues(document, (offset, at, message) => add(locateOffset(offset), formatPath(at), message));
  if (count > 0) return null;
  return {
    path,
    value: values.value,
    locate(at) {
      const offset = values.findOffset(at);
      return offset === undefined ? path : locateOffset(offset);
    },
  };
}

/** Reports an error in a value at the offset of its node. */
type NodeFault = (offset: number, path: readonly PropertyKey[], message: string) => void;

/** Maximum depth of nested values. It is enough for any real document, and safe for recursive code. */
export const MAX_DEPTH = 200;
/**
 * Maximum number of values that aliases may repeat, and of characters in these values. Without limits, a short file
 * could expand to a huge document.
 */
const MAX_REPEATED = 100_000;
const MAX_REPEATED_LENGTH = 10_000_000;

/** A node with an anchor, which aliases can repeat. */
interface AnchoredNode {
  value: unknown;
  /** Number of values in the node, including the node itself. */
  size: number;
  /** Number of characters in the strings and keys of the node. */
  length: number;
  /** Number of levels below the node. */
  height: number;
  /** Whether the node is still being read. An alias to it would then be circular. */
  isOpen: boolean;
}

/**
 * Converts a YAML document that was parsed with `stringKeys` to plain values. Anything that JSON cannot express is an
 * error: OpenAPI documents must not contain it (OpenAPI 3.1.1, 4.2), and the configuration does not need it. The
 * library's own `toJS` is not used, because it would accept such values, and takes quadratic time in the number of keys
 * and aliases.
 */
class YamlValues {
  readonly value: unknown;
  readonly #root: Node | null;
  readonly #reportFault: NodeFault;
  readonly #entries = new Map<YAMLMap, ReadonlyMap<string, Node | null>>();
  readonly #anchors = new Map<string, AnchoredNode>();
  readonly #path: PropertyKey[] = [];
  #count = 0;
  #length = 0;
  #repeated = 0;
  #repeatedLength = 0;
  #deepest = 0;

  constructor({ contents }: Document.Parsed, fault: NodeFault) {
    this.#reportFault = fault;
    this.#root = contents;
    this.value = this.#read(contents);
  }

  /** The offset of the value at a path, or of its nearest existing ancestor; undefined for an empty document. */
  findOffset(path: readonly PropertyKey[]): number | undefined {
    let node = this.#root;
    for (const step of path) {
      const next = this.#findChild(node, step);
      if (next?.range == null) break;
      node = next;
    }
    return node?.range?.[0];
  }

  #findChild(node: Node | null, step: PropertyKey): Node | null | undefined {
    if (isMap(node)) return this.#entries.get(node)?.get(String(step));
    return isSeq(node) ? (node.items[Number(step)] as Node | undefined) : null;
  }

  #addFault(node: Node | null, message: string): void {
    this.#reportFault(node?.range?.[0] ?? 0, [...this.#path], message);
  }

  #read(node: Node | null): unknown {
    this.#count++;
    const depth = this.#path.length;
    if (!this.#checkDepth(node, depth) || node === null) return null;
    if (isAlias(node)) return this.#repeatAnchor(node, node.source);
    const { anchor } = node as { anchor?: string };
    if (anchor === undefined) return this.#readWhole(node);
    const before = { size: this.#count - 1, length: this.#length };
    const anchored = { value: null as unknown, size: 0, length: 0, height: 0, isOpen: true };
    this.#anchors.set(anchor, anchored);
    const deepestOutside = this.#deepest;
    this.#deepest = depth;
    anchored.value = this.#readWhole(node);
    anchored.size = this.#count - before.size;
    anchored.length = this.#length - before.length;
    anchored.height = this.#deepest - depth;
    anchored.isOpen = false;
    this.#deepest = Math.max(this.#deepest, deepestOutside);
    return anchored.value;
  }

  #checkDepth(node: Node | null, depth: number): boolean {
    this.#deepest = Math.max(this.#deepest, depth);
    if (depth <= MAX_DEPTH) return true;
    this.#reportFault(node?.range?.[0] ?? 0, [], `is nested more than ${MAX_DEPTH} levels deep`);
    return false;
  }

  #repeatAnchor(alias: Node, name: string): unknown {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) this.#addFault(alias, `is *${name}, an alias with no anchor before it`);
    else if (anchored.isOpen)
      this.#addFault(alias, `is *${name}, an alias inside its own anchor: a value cannot contain itself`);
    else if (this.#checkDepth(alias, this.#path.length + anchored.height)) {
      const wasTooMuch = this.#isTooMuch;
      this.#count += anchored.size;
      this.#length += anchored.length;
      this.#repeated += anchored.size;
      this.#repeatedLength += anchored.length;
      if (!this.#isTooMuch) return anchored.value;
      const limits = `${MAX_REPEATED} values and ${MAX_REPEATED_LENGTH} characters`;
      if (!wasTooMuch) this.#addFault(alias, `is *${name}, but aliases may repeat at most ${limits}`);
    }
    return null;
  }

  get #isTooMuch(): boolean {
    return this.#repeated > MAX_REPEATED || this.#repeatedLength > MAX_REPEATED_LENGTH;
  }

  #readWhole(node: Node): unknown {
    if (isMap(node)) return this.#readMap(node);
    if (isSeq(node)) return node.items.map((item, index) => this.#readAt(index, item as Node));
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === 'string') this.#length += value.length;
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      return value;
    this.#addFault(node, 'is not a value that JSON can represent');
    return null;
  }

  #readMap(map: YAMLMap): object {
    const nodes = new Map<string, Node | null>();
    const entries: [string, unknown][] = [];
    for (const { key: node, value } of map.items as { key: Node; value: Node | null }[]) {
      const key = String(isScalar(node) ? node.value : node);
      if (nodes.has(key)) this.#addFault(node, `is not valid YAML: the key ${key} appears twice`);
      // Refuse this key, because libraries that process the document might set an object's prototype with it.
      if (key === '__proto__') this.#addFault(node, 'has the key __proto__, which is not allowed: rename it');
      nodes.set(key, value);
      this.#length += key.length;
      entries.push([key, this.#readAt(key, value)]);
    }
    this.#entries.set(map, nodes);
    return Object.fromEntries(entries);
  }

  #readAt(key: PropertyKey, node: Node | null): unknown {
    this.#path.push(key);
    const value = this.#read(node);
    this.#path.pop();
    return value;
  }
}
