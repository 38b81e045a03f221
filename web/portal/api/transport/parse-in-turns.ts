/** Shorter texts are parsed in one step. */
const MIN_LENGTH = 500_000;
/** How long parsing runs before the page may do something else, in ms. */
const TURN_MS = 15;
/**
 * Values on the first levels are parsed one by one. In an OpenAPI document, these are the paths, and the components by
 * kind.
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
 * `JSON.parse` for texts of many megabytes, which would otherwise freeze the page.
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
    // oxlint-disable-next-line no-await-in-loop -- this is where the page gets its turn
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + TURN_MS;
  }
}

/** Pauses after each value of the first levels. */
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
    // An assignment would fail for a field named __proto__.
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

/** The position after the closing quote. */
function endOfString(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) throw new SyntaxError(`a quote is missing at ${from}`);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  throw new SyntaxError('a string is not closed');
}

/** The position of the comma or bracket after the value. */
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
