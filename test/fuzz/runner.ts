import * as fc from 'fast-check';
import { Finding } from './finding.ts';
import type { Target, World } from './target.ts';

export interface Found {
  readonly kind: string;
  readonly error: Error;
  /** The smallest script that fails in the same way. */
  readonly script: unknown;
}

interface Result {
  readonly cases: number;
  readonly found: Found | null;
}

/** The number of scripts for each seed. */
const CASES = 25;
const SHRINK_MS = 30_000;

interface RoundOptions {
  /** The kinds of findings to ignore. */
  readonly known?: ReadonlySet<string>;
  /** No script starts after this time, in ms on the clock of `performance.now()`. */
  readonly until: number;
}

/** Plays the scripts of one seed until one fails. Then it shrinks that script for up to 30 seconds. */
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
    // The limit is checked here, because fast-check's own limit would let an interrupted script run on during the next
    // one.
    if (performance.now() > (first === null ? until : shrinkUntil)) return;
    cases++;
    try {
      await world.play(script);
    } catch (error) {
      const kind = findKind(error);
      // While the script is shrunk, only failures of the same kind count.
      if (known.has(kind) || (first !== null && first !== kind)) return;
      if (first === null) shrinkUntil = performance.now() + SHRINK_MS;
      first = kind;
      throw error;
    }
  });
  const details = await fc.check(property, { seed, numRuns: CASES });
  const { counterexample, errorInstance: error } = details;
  if (counterexample === null || !(error instanceof Error)) return { cases, found: null };
  return { cases, found: { kind: findKind(error), error, script: counterexample[0] } };
}

/** Plays one script as often as a round has scripts, because a failure may depend on timing. */
export async function playRound<Script>(world: World<Script>, script: Script): Promise<Result> {
  for (let cases = 1; cases <= CASES; cases++) {
    try {
      await world.play(script);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { cases, found: { kind: findKind(error), error, script } };
    }
  }
  return { cases: CASES, found: null };
}

function findKind(error: unknown): string {
  return error instanceof Finding ? error.kind : String(error);
}
