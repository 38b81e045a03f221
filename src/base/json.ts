import { pauseIfDue } from './pause-if-due.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Types for "JSON.parse source text access" of ECMAScript, which the type library lacks. */
const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): object;
};

/**
 * Matches text that may contain a number that JavaScript would change: 16 digits in a row, a fraction, an exponent, or
 * `-0`.
 */
const POSSIBLY_INEXACT_NUMBER = /\d{16}|\d[.eE]|-0(?![\d.])/;

/**
 * Parses JSON without losing digits, although JavaScript would round numbers beyond 2^53. A number that would change
 * becomes a `JSON.rawJSON` value, which `JSON.stringify` writes unchanged, but which `structuredClone` does not keep.
 *
 * @throws SyntaxError if the text is not JSON; RangeError if it is nested very deeply, see `isDeeperThan`
 */
export function parseExact(text: string): unknown {
  return POSSIBLY_INEXACT_NUMBER.test(text) ? json.parse(text, revive) : (JSON.parse(text) as unknown);
}

/**
 * Like `JSON.stringify`, but writes BigInts as integers. @throws TypeError if the value cannot be written, such as an
 * object that contains itself
 */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'bigint' ? json.rawJSON(one.toString()) : one,
  ) as string | undefined;
  if (text === undefined) throw new TypeError(`${typeof value} is no JSON`);
  return text;
}

/** Whether lists and objects in a text are nested deeper than `levels`. The text need not be valid JSON. */
export function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = findStringEnd(text, at);
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth > levels) return true;
  }
  return false;
}

/**
 * The names that an object in the text has more than once, at any depth. Programs differ in which of the values they
 * use.
 *
 * @param text must be JSON
 */
export function repeatedNames(text: string): ReadonlySet<string> {
  const repeated = new Set<string>();
  /** The names seen so far in each object that is still open; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const end = findStringEnd(text, at);
      const names = open.at(-1) ?? null;
      if (isName && names !== null) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (names.has(name)) repeated.add(name);
        names.add(name);
      }
      isName = false;
      at = end;
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
      isName = char === '{';
    } else if (char === '}' || char === ']') open.pop();
    else if (char === ',') isName = open.at(-1) !== null;
  }
  return repeated;
}

/** Escapes a name for a JSON pointer (RFC 6901). */
export function escapePointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Formats one step of a JSON pointer for a message. A very long name is cut off. */
export function formatPointerStep(step: string | number): string {
  return `/${escapePointerStep(String(step).slice(0, 100))}`;
}

/** Whether a value has more than `length` characters as JSON. Stops as soon as that is certain. */
export function isLongerThan(length: number, value: unknown): boolean {
  let remaining = length;
  const nodes: unknown[] = [value];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null) {
      remaining -= typeof node === 'string' ? node.length + QUOTES : 1;
    } else {
      const children = Object.entries(node);
      // Each child needs a comma or a bracket. Count these before pushing the children, because there may be very many.
      remaining -= children.length + 1;
      if (remaining < 0) return true;
      for (const [key, child] of children) {
        if (!Array.isArray(node)) remaining -= key.length + QUOTES + 1;
        nodes.push(child);
      }
    }
    if (remaining < 0) return true;
  }
  return false;
}

/** Number of characters for the two quotes around a string. */
const QUOTES = 2;

const revive: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value;

/** The index of the quote that closes the string opened at `start`, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/**
 * Serializes a large document like `JSON.stringify`, but lets requests be served after each operation and component.
 */
export function formatJson(document: JsonObject): Promise<string> {
  return formatObject(document, 3);
}

/** @param levels the number of levels of objects with pauses between their entries */
async function formatObject(value: JsonObject, levels: number): Promise<string> {
  const entries: string[] = [];
  for (const [key, child] of Object.entries(value)) {
    const text = levels > 1 && isObject(child) ? await formatObject(child, levels - 1) : JSON.stringify(child);
    // Leave out what JSON cannot express, as `JSON.stringify` does.
    if (text !== undefined) entries.push(`${JSON.stringify(key)}:${text}`);
    await pauseIfDue();
  }
  return `{${entries.join(',')}}`;
}
