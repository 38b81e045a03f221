import { LineCounter } from 'yaml';

/** A parsed JSON text that knows the line of each value. */
interface JsonText {
  readonly value: unknown;
  /** The line of the value at a path, or of its nearest existing ancestor. */
  readonly findLine: (path: readonly PropertyKey[]) => number;
}

/**
 * Parses JSON with the lines of its values. The YAML parser could also parse JSON, but is many times slower.
 *
 * @returns null if the text is not JSON, or the YAML parser might refuse it; the caller then uses the YAML parser,
 *   which reports what is wrong and where
 */
export function readJson(text: string, maxDepth: number): JsonText | null {
  if (!text.startsWith('{')) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const keys = countKeys(value, maxDepth);
  // If a key is repeated, there are more colons than keys, because `JSON.parse` keeps only the last of several equal
  // keys.
  if (keys === null || keys !== countColons(text)) return null;
  const places = new JsonPlaces(text);
  let lines: LineCounter | undefined;
  return { value, findLine: (path) => (lines ??= createLineCounter(text)).linePos(places.findOffset(path)).line };
}

/**
 * Counts the keys of all objects. Null if a value is nested too deeply, a number is not finite, or a key is not
 * allowed.
 */
function countKeys(value: unknown, levels: number): number | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return null;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) {
    const childKeys = countKeys(child, levels - 1);
    if (childKeys === null) return null;
    count += childKeys;
  }
  return count;
}

/** Counts the colons outside of strings: there is one per key. */
function countColons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(text, at);
    else if (code === COLON) count++;
  }
  return count;
}

function createLineCounter(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const BETWEEN = /[\s,]*/y;
const BEFORE_VALUE = /\s*:\s*/y;
const LITERAL = /[^\s,\]}]*/y;

/**
 * Finds the offsets of values in a valid JSON text. Each object or list on the path to a value is scanned only once.
 */
class JsonPlaces {
  readonly #text: string;
  readonly #children = new Map<number, ReadonlyMap<string, number>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of the value at a path, or of its nearest existing ancestor. */
  findOffset(path: readonly PropertyKey[]): number {
    let at = 0;
    for (const step of path) {
      const child = this.#getChildren(at).get(String(step));
      if (child === undefined) break;
      at = child;
    }
    return at;
  }

  #getChildren(offset: number): ReadonlyMap<string, number> {
    let children = this.#children.get(offset);
    if (children === undefined) this.#children.set(offset, (children = this.#scan(offset)));
    return children;
  }

  #scan(offset: number): ReadonlyMap<string, number> {
    const text = this.#text;
    const children = new Map<string, number>();
    const isObject = text[offset] === '{';
    if (!isObject && text[offset] !== '[') return children;
    for (
      let at = skipPattern(BETWEEN, text, offset + 1);
      text[at] !== '}' && text[at] !== ']';
      at = skipPattern(BETWEEN, text, at)
    ) {
      let key = String(children.size);
      if (isObject) {
        const end = findStringEnd(text, at) + 1;
        key = JSON.parse(text.slice(at, end)) as string;
        at = skipPattern(BEFORE_VALUE, text, end);
      }
      children.set(key, at);
      at = findValueEnd(text, at);
    }
    return children;
  }
}

function skipPattern(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function findValueEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start) + 1;
  if (text[start] !== '{' && text[start] !== '[') return skipPattern(LITERAL, text, start);
  let depth = 0;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
}

/** The index of the quote that closes the string opened at `start`. */
function findStringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}
