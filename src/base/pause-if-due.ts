import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How long computations may block the event loop: long enough that pauses cost little, and short enough that requests
 * do not notice.
 */
const TURN_MS = 5;

/** When computations began in this turn of the event loop; null if none has begun. */
let begunAt: number | null = null;
/** Resolves when the last waiting computation gets its turn. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Lets requests be served during a long computation on the main thread. A large OpenAPI document makes some loops long
 * (25 to 600 ms each for a document of 27 MB). Each of these loops must await this function again and again, after
 * about a millisecond of work or less. The function waits for another turn of the event loop when the computations of
 * this turn have taken `TURN_MS`. Concurrent computations share that limit, and take turns.
 *
 * Parsing YAML cannot be interrupted, so a thread parses and checks changed documents. Everything later is computed on
 * the main thread, because the results refer to parts of the parsed document. To send such a result, a thread would
 * have to copy the document, and reading a large message cannot be interrupted either.
 */
export async function pauseIfDue(): Promise<void> {
  if (begunAt !== null) {
    if (performance.now() - begunAt < TURN_MS) return;
    await (lastTurn = lastTurn.then(() => nextTurn()));
  }
  begunAt = performance.now();
  setImmediate(() => (begunAt = null));
}
