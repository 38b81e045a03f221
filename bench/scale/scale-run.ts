import type { InTurnOptions } from '../in-turn.ts';
import type { Lab } from '../lab/lab.ts';

/** Options of each run of `npm run scale`. */
interface ScaleOptions {
  /** Options of a comparison of contenders in turn. */
  readonly inTurn: InTurnOptions;
  /** Sizes of the registry. */
  readonly sizes: readonly number[];
  /** The number of keys for runs with many keys in rotation. */
  readonly rotating: number;
}

/** A run. It returns tables in Markdown to be printed. */
export type ScaleRun = (lab: Lab, settings: ScaleOptions) => Promise<string>;
