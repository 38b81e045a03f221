import type * as fc from 'fast-check';

/**
 * A part of the gateway's environment that is fuzzed. A script is plain data that describes what is sent and when.
 * Apart from timing, it is reproducible.
 */
export interface Target<Script = unknown> {
  readonly name: string;
  readonly scripts: fc.Arbitrary<Script>;
  /** Starts the environment in which scripts are played. */
  open(): Promise<World<Script>>;
}

export interface World<Script = unknown> {
  /**
   * Plays a script.
   *
   * @throws Finding
   */
  play(script: Script): Promise<void>;
  /** Measures the heap in use in the gateway after a garbage collection, in bytes. */
  heap(): Promise<number>;
  close(): Promise<void>;
}
