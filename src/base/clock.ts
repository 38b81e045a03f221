import type { Millis } from './limits.ts';

/** Milliseconds since the Unix epoch. Tests inject their own. */
export type Clock = () => Millis;
