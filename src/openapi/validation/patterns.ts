import { RE2JS } from 're2js';
import { translatePattern } from './translate-pattern.ts';

export interface Pattern {
  test(text: string): boolean;
  /** The steps that a test takes for each character. */
  readonly stepsPerCharacter: number;
}

/** A pattern that cannot be used. The reason is the end of a sentence. */
interface PatternFault {
  readonly reason: string;
}

const MAX_LENGTH = 4000;
/** The time per character grows with the number of states that a pattern can be in. A simple one has about ten. */
const INSTRUCTIONS_PER_STEP = 10;
/** A pattern such as `(a{1,30}){1,30}` is short, but has very many states. */
const MAX_INSTRUCTIONS = 5000;

/**
 * Compiles a regular expression of a document for an engine whose time is linear in the length of the text. The engine
 * of JavaScript can take time that is exponential.
 */
export function compilePattern(source: string): Pattern | PatternFault {
  if (source.length > MAX_LENGTH) return { reason: `is a pattern of more than ${MAX_LENGTH} characters: simplify it` };
  const isUnicode = isRegExp(source, 'u');
  if (!isUnicode && !isRegExp(source, '')) return { reason: 'is not a regular expression of ECMAScript' };
  try {
    const { condition, others } = translatePattern(source, isUnicode);
    const all = [{ pattern: condition, isExcluded: false }, ...others].map(({ pattern, isExcluded }) => {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
      return { test: (text: string) => compiled.test(text) !== isExcluded, size: compiled.programSize() };
    });
    const size = all.reduce((sum, one) => sum + one.size, 0);
    if (size > MAX_INSTRUCTIONS) return { reason: 'is a pattern with too many repetitions: simplify it' };
    const [first] = all;
    const test =
      all.length === 1 && first !== undefined ? first.test : (text: string) => all.every((one) => one.test(text));
    return { test, stepsPerCharacter: Math.max(1, size / INSTRUCTIONS_PER_STEP) };
  } catch (error) {
    return { reason: `cannot be matched in linear time (${(error as Error).message}): rewrite it` };
  }
}

/** Whether a text is a regular expression of ECMAScript. It is never run. */
export function isRegExp(source: string, flags: string): boolean {
  try {
    void new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

/** Text, classes and their repetitions, but no groups. */
const SIMPLE =
  /^\^?(?:(?:[\w ,:;@=~%&'"!<>-]|\\[dwsDWS./-]|\[\^?(?:[\w .:@+/]|[A-Z]-[A-Z]|[a-z]-[a-z]|\d-\d|\\[dws.])+-?\])(?:[?*+]|\{\d{1,2}(?:,\d{0,2})?\})?)*\$?$/;
const MAX_SIMPLE_LENGTH = 100;
/** A part that is repeated up to 60 times takes as many instructions as 60 parts, and compiling them takes time. */
const MAX_SIMPLE_COUNT = 100;

/** Whether a pattern can certainly be compiled, and so quickly that a request can wait for it. */
function isSimple(source: string): boolean {
  if (source.length > MAX_SIMPLE_LENGTH || !SIMPLE.test(source) || !isRegExp(source, 'u')) return false;
  let sum = 0;
  for (const [, count] of source.matchAll(/[{,](\d{1,2})/g)) sum += Number(count);
  return sum <= MAX_SIMPLE_COUNT;
}

/** Compiles each pattern of a document once. */
export class Patterns {
  readonly #known = new Map<string, Pattern | PatternFault>();

  /** Why a pattern cannot be used; null if it can be. Simple patterns are compiled only when they are first used. */
  findFault(source: string): string | null {
    if (isSimple(source)) return null;
    const pattern = this.find(source);
    return 'reason' in pattern ? pattern.reason : null;
  }

  find(source: string): Pattern | PatternFault {
    let pattern = this.#known.get(source);
    if (pattern === undefined) this.#known.set(source, (pattern = compilePattern(source)));
    return pattern;
  }
}
