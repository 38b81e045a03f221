import type * as fc from 'fast-check';

/**
 * Something to fuzz the gateway with. A script is plain data that describes what is sent and when, and is reproducible
 * except for timing.
 */
export interface Target<Script = unknown> {
  readonly name: string;
  readonly scripts: fc.Arbitrary<Script>;
  /** Starts the environment that scripts are played in. */
  open(): Promise<World<Script>>;
}

export interface World<Script = unknown> {
  /** @throws Finding */
  play(script: Script): Promise<void>;
  /** Bytes of heap in use after a garbage collection, in the gateway. */
  heap(): Promise<number>;
  close(): Promise<void>;
}
