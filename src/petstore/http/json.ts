import { ApiError } from './errors.ts';
import { parseInt64 } from './int64.ts';

declare const rawJson: unique symbol;
/** JSON text that `JSON.stringify` writes unchanged. */
type RawJson = { readonly [rawJson]: true };

type ExactReviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ECMAScript's "JSON.parse source text access", which the type library does not have yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: ExactReviver): unknown;
  rawJSON(text: string): RawJson;
};

const MAX_DEPTH = 32;
// A valid body has only a few values. This limit bounds the work that a hostile body can cause.
const MAX_VALUES = 1000;

/** Wraps an int64, so that `JSON.stringify` writes it with all its digits. */
export function toRawJson(value: bigint): RawJson {
  return exactJson.rawJSON(value.toString());
}

/**
 * Parses a JSON text. Every number that is a canonical int64 becomes an exact BigInt. Other numbers stay floats, and no
 * field accepts floats.
 *
 * @throws ApiError `bad_request`: not JSON, a duplicate name in an object, too deep, too many values, lone surrogates
 */
export function parseJson(text: string): unknown {
  checkSize(text);
  let value: unknown;
  try {
    value = exactJson.parse(text, revive);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('bad_request', 'The body is not valid JSON.');
  }
  checkNames(text);
  return value;
}

const revive: ExactReviver = (_key, value, context) => {
  if (typeof value === 'number') return parseInt64(context.source ?? '') ?? value;
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new ApiError('bad_request', 'The body has a string with half a surrogate pair, which is not Unicode text.');
  }
  return value;
};

/** Checks the depth and the number of values before any recursive work. The text need not be valid JSON. */
function checkSize(text: string): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (char === ',') values++;
    if (depth > MAX_DEPTH) throw new ApiError('bad_request', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    if (values >= MAX_VALUES) throw new ApiError('bad_request', `The body has more than ${MAX_VALUES} values.`);
  }
}

/** Refuses duplicate names in an object, however they are escaped. The text must be valid JSON. */
function checkNames(text: string): void {
  const openNames: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') openNames.push(new Set());
    else if (char === '}' || char === ']') openNames.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      if (isName(text, end + 1)) addName(openNames.at(-1), String(JSON.parse(text.slice(at, end + 1))));
      at = end;
    }
  }
}

/** In valid JSON, a string is a name if and only if a colon follows it. */
function isName(text: string, after: number): boolean {
  let at = after;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ':';
}

function addName(names: Set<string> | undefined, name: string): void {
  if (names?.has(name)) {
    throw new ApiError('bad_request', `The body has the field ${JSON.stringify(name.slice(0, 100))} twice.`);
  }
  names?.add(name);
}

/** Finds the index of the quote that closes the string opened at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
