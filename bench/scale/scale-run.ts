import type { InTurnSettings } from '../in-turn.ts';
import type { Lab } from '../lab/lab.ts';

/** Options of each run of `npm run scale`. */
interface ScaleSettings {
  /** Options of a comparison in turns. */
  readonly inTurn: InTurnSettings;
  /** Sizes of the registry. */
  readonly sizes: readonly number[];
  /** How many keys are "many" where all of them are in rotation. */
  readonly rotating: number;
}

/** Measures, and returns what is printed: tables in Markdown. */
export type ScaleRun = (lab: Lab, settings: ScaleSettings) => Promise<string>;
