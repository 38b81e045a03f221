/** The length from which a text is parsed in several steps. */
const MIN_LENGTH = 500_000;
/** The time for which parsing may block the page, in ms. After that, the page may do something else. */
const TURN_MS = 15;
/**
 * Values on these outer levels are parsed one by one. In an OpenAPI document, they are the paths and the components.
 */
const MAX_LEVEL = 3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * Parses JSON like `JSON.parse`, but in steps, so that a text of many megabytes does not freeze the page.
 *
 * @throws SyntaxError
 */
export async function parseInTurns(text: string, minLength = MIN_LENGTH): Promise<unknown> {
  if (text.length < minLength) return JSON.parse(text);
  const steps = parseSteps(text, 0, text.length, 0);
  let until = performance.now() + TURN_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    // oxlint-disable-next-line no-await-in-loop -- the pause lets the page do something else
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + TURN_MS;
  }
}

/** Parses a text, and yields after each value on the outer levels. */
function* parseSteps(text: string, from: number, to: number, level: number): Generator<void, unknown> {
  const start = skipSpace(text, from);
  if (level === MAX_LEVEL || text.charCodeAt(start) !== OPEN_OBJECT) {
    yield;
    return JSON.parse(text.slice(from, to));
  }
  const object: Record<string, unknown> = {};
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return JSON.parse(text.slice(from, to));
  for (;;) {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    at = skipSpace(text, nameEnd);
    if (text.charCodeAt(at) !== COLON) throw new SyntaxError(`a colon is missing at ${at}`);
    const end = endOfValue(text, at + 1);
    const value = yield* parseSteps(text, at + 1, end, level + 1);
    // An assignment would set the prototype if the field were named __proto__.
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    const next = text.charCodeAt(end);
    if (next === CLOSE_OBJECT) {
      if (text.slice(end + 1, to).trim() !== '') throw new SyntaxError(`text after the end of the value at ${end + 1}`);
      return object;
    }
    if (next !== COMMA) throw new SyntaxError(`a comma is missing at ${end}`);
    at = skipSpace(text, end + 1);
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at++;
  return at;
}

/** Finds the position after the closing quote of a string. */
function endOfString(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) throw new SyntaxError(`a quote is missing at ${from}`);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  throw new SyntaxError('a string is not closed');
}

/** Finds the position of the comma or bracket that ends a value. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (depth === 0) return at;
      depth--;
    } else if (code === COMMA && depth === 0) return at;
  }
  throw new SyntaxError('an object or list is not closed');
}
