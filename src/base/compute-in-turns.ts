import { setImmediate as nextTurn } from 'node:timers/promises';

/** A long computation that can pause at each `yield`. */
export type Steps<T> = Generator<undefined, T>;

/** Long enough that pauses cost little, and short enough that requests do not notice. */
const TURN_MS = 5;

/** Computes without pauses. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Computes in turns with the event loop, so that requests are served in between. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const end = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
  }
}
