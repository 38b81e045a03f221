import type * as fc from 'fast-check';

/**
 * A side from which the gateway is fuzzed. A script is plain data that says what is sent and when; playing the same one
 * again does the same, as far as timing allows.
 */
export interface Target<Script = unknown> {
  readonly name: string;
  readonly scripts: fc.Arbitrary<Script>;
  /** Starts what scripts are played against. */
  open(): Promise<World<Script>>;
}

export interface World<Script = unknown> {
  /** @throws Finding */
  play(script: Script): Promise<void>;
  /** Bytes of heap in use after a garbage collection, in the gateway. */
  heap(): Promise<number>;
  close(): Promise<void>;
}
