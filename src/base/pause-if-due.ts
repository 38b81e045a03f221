import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Maximum time that computations may block the event loop. It is long enough that pauses cost little, and short enough
 * that requests are not noticeably delayed.
 */
const TURN_MS = 5;

/** When the first computation in this turn of the event loop began; null if there was none. */
let begunAt: number | null = null;
/** Resolves when the last waiting computation may continue. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Lets requests be served during a long computation on the main thread. For a large OpenAPI document, some loops take
 * long (25 to 600 ms each for a document of 27 MB). Such a loop must await this function after every millisecond of
 * work, or more often. The function waits for the next turn of the event loop once computations have taken `TURN_MS` in
 * the current turn. Concurrent computations share that limit and take turns.
 *
 * Parsing YAML cannot be interrupted, so a worker thread parses and checks changed documents. Everything else is
 * computed on the main thread, because the results refer to parts of the parsed document. To send them, a thread would
 * have to copy the document, and receiving a large message cannot be interrupted either.
 */
export async function pauseIfDue(): Promise<void> {
  if (begunAt !== null) {
    if (performance.now() - begunAt < TURN_MS) return;
    await (lastTurn = lastTurn.then(() => nextTurn()));
  }
  begunAt = performance.now();
  setImmediate(() => (begunAt = null));
}
