import * as fc from 'fast-check';
import { Finding } from './finding.ts';
import type { Target, World } from './target.ts';

export interface Found {
  readonly kind: string;
  readonly error: Error;
  /** The smallest script that failed in the same way. */
  readonly script: unknown;
}

export interface Result {
  readonly cases: number;
  readonly found: Found | null;
}

/** Scripts made of one seed. */
const CASES = 25;
const SHRINK_MS = 30_000;

export interface RoundOptions {
  /** Kinds of findings to pass over. */
  readonly known?: ReadonlySet<string>;
  /** No script begins later, by `performance.now()`. */
  readonly until: number;
}

/** Plays the scripts of one seed until one fails, which is then made as small as it gets within half a minute. */
export async function fuzzRound<Script>(
  target: Target<Script>,
  world: World<Script>,
  seed: number,
  { known = new Set(), until }: RoundOptions,
): Promise<Result> {
  let cases = 0;
  let first: string | null = null;
  let shrinkUntil = Infinity;
  const property = fc.asyncProperty(target.scripts, async (script) => {
    // Not fast-check's own limit, which leaves a script behind that plays on beside the next one.
    if (performance.now() > (first === null ? until : shrinkUntil)) return;
    cases++;
    try {
      await world.play(script);
    } catch (error) {
      const kind = kindOf(error);
      // While a script is made smaller, only what fails in the same way is the same finding.
      if (known.has(kind) || (first !== null && first !== kind)) return;
      if (first === null) shrinkUntil = performance.now() + SHRINK_MS;
      first = kind;
      throw error;
    }
  });
  const details = await fc.check(property, { seed, numRuns: CASES });
  const { counterexample, errorInstance: error } = details;
  if (counterexample === null || !(error instanceof Error)) return { cases, found: null };
  return { cases, found: { kind: kindOf(error), error, script: counterexample[0] } };
}

/** Plays one script as often as a round has scripts: what depends on timing may take a few. */
export async function playRound<Script>(world: World<Script>, script: Script): Promise<Result> {
  for (let cases = 1; cases <= CASES; cases++) {
    try {
      await world.play(script);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { cases, found: { kind: kindOf(error), error, script } };
    }
  }
  return { cases: CASES, found: null };
}

function kindOf(error: unknown): string {
  return error instanceof Finding ? error.kind : String(error);
}
