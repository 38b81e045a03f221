import { RE2JS } from 're2js';

export interface Pattern {
  test(text: string): boolean;
  /** The steps that a test takes for each character. */
  readonly stepsPerCharacter: number;
}

/** A pattern that cannot be used. The reason is the end of a sentence. */
export interface PatternFault {
  readonly reason: string;
}

const MAX_LENGTH = 4000;

/**
 * Compiles a regular expression of a document for an engine whose time is linear in the length of the text. The engine
 * of JavaScript can take time that is exponential.
 */
export function compilePattern(source: string): Pattern | PatternFault {
  if (source.length > MAX_LENGTH) return { reason: `is a pattern of more than ${MAX_LENGTH} characters` };
  if (!isRegExp(source)) return { reason: 'is a pattern that is not a regular expression of ECMAScript' };
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => compiled.test(text), stepsPerCharacter: 1 };
  } catch (error) {
    return { reason: `is a pattern that cannot be checked in linear time (${(error as Error).message}): rewrite it` };
  }
}

function isRegExp(source: string): boolean {
  for (const flags of ['u', '']) {
    try {
      void new RegExp(source, flags);
      return true;
    } catch {
      // Many documents have escapes that are allowed without the flag only.
    }
  }
  return false;
}

/** Compiles each pattern of a document once. */
export class Patterns {
  readonly #known = new Map<string, Pattern | PatternFault>();

  find(source: string): Pattern | PatternFault {
    let pattern = this.#known.get(source);
    if (pattern === undefined) this.#known.set(source, (pattern = compilePattern(source)));
    return pattern;
  }
}
