import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough that pauses cost little, and short enough that requests do not notice. */
const TURN_MS = 5;

/** When computations began in this turn of the event loop; null: none has. */
let begunAt: number | null = null;
/** Resolves when the last computation that waits has its turn. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Keeps requests served during a long computation on the main thread: every loop that a large OpenAPI document makes long
 * (25 to 600 ms each for one of 27 MB) awaits this again and again, each time after about a millisecond of work or less.
 * It waits for another turn of the event loop once the computations of this turn have taken `TURN_MS`. Computations at
 * the same time share that limit, and take turns.
 *
 * A thread parses and checks changed documents, because parsing YAML cannot be interrupted. Everything later is computed
 * here, because it refers to parts of the parsed document: sending such a result from a thread would copy the document,
 * and reading a large message is one piece of work, too.
 */
export async function pauseIfDue(): Promise<void> {
  if (begunAt !== null) {
    if (performance.now() - begunAt < TURN_MS) return;
    await (lastTurn = lastTurn.then(() => nextTurn()));
  }
  begunAt = performance.now();
  setImmediate(() => (begunAt = null));
}
