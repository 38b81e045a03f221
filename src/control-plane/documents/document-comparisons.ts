import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { MAX_DETAILS } from '../../base/error-details.ts';
import { RETRY_SOON } from '../../http/retry-after.ts';
import type { UpstreamDocument } from '../../openapi/upstream-document.ts';
import { Refused } from '../api-server/refused.ts';
import type { AskedComparison, ComparedDocuments, ComparisonMessage, ThreadMessage } from './comparison-messages.ts';

const WORKER_FILE = new URL('./comparison-worker.ts', import.meta.url);
const TIMEOUT_MS = 20_000;
const MAX_MEMORY_MB = 512;
/** Copying this much takes less than a millisecond. */
const PIECE_LENGTH = 256 * 1024;

/** Returns the document in force of an upstream; undefined if there is no such upstream. */
type FindDocument = (upstream: string) => UpstreamDocument | undefined;

/** Compares documents in a thread, one at a time, so that neither their size nor their number slows requests down. */
export class DocumentComparisons {
  #isBusy = false;

  /**
   * @param body the body of the request as it was sent, in pieces
   * @throws Refused `overloaded` if another comparison runs, `validation_failed`, `document_invalid`
   */
  async compare(
    body: AsyncIterable<Uint8Array>,
    findDocument: FindDocument,
  ): Promise<AskedComparison & ComparedDocuments> {
    if (this.#isBusy) {
      throw new Refused('overloaded', {
        message: 'Another comparison is running. Try again after the time given in Retry-After.',
        headers: { 'Retry-After': RETRY_SOON },
      });
    }
    this.#isBusy = true;
    try {
      return await compareInThread(body, findDocument);
    } finally {
      this.#isBusy = false;
    }
  }
}

async function compareInThread(
  body: AsyncIterable<Uint8Array>,
  findDocument: FindDocument,
): Promise<AskedComparison & ComparedDocuments> {
  const worker = new Worker(WORKER_FILE, {
    name: 'comparison',
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  worker.unref();
  // Node forwards the output to the streams of this process, so only errors need a listener.
  for (const output of [worker.stdout, worker.stderr]) output.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      let asked: AskedComparison | undefined;
      const fail = (what: string) => reject(createDocumentError([what]));
      worker.on('message', (message: ComparisonMessage) => {
        if (message.kind === 'asked') {
          ({ asked } = message);
          sendDocument(worker, findDocument(asked.upstream)).catch(reject);
        } else if (message.kind === 'invalid') {
          reject(new Refused('validation_failed', { details: message.details }));
        } else if (message.kind === 'refused') reject(createDocumentError(message.faults));
        else if (asked !== undefined) resolve({ ...asked, ...message });
      });
      worker.on('error', (error) => {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ERR_WORKER_OUT_OF_MEMORY') fail(`needs more than ${MAX_MEMORY_MB} MB of memory to be compared`);
        else reject(error);
      });
      worker.on('exit', () => fail('could not be compared: the thread that did it has exited'));
      const tooLong = `takes longer than ${TIMEOUT_MS / 1000} seconds to compare`;
      const startTimer = () => {
        timer = setTimeout(() => fail(tooLong), TIMEOUT_MS).unref();
      };
      sendBody(worker, body).then(startTimer, reject);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

async function sendBody(worker: Worker, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of body) {
    // A copy, because the memory of a small buffer is shared with others.
    const bytes = new Uint8Array(piece);
    worker.postMessage({ kind: 'body', bytes } satisfies ThreadMessage, [bytes.buffer]);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage({ kind: 'body_end' } satisfies ThreadMessage);
}

/** @throws Refused `validation_failed` if there is no such upstream */
async function sendDocument(worker: Worker, document: UpstreamDocument | undefined): Promise<void> {
  if (document === undefined)
    throw new Refused('validation_failed', {
      details: [{ path: '/upstream', message: 'is not the name of an upstream' }],
    });
  const { file, source } = document;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: ThreadMessage) => worker.postMessage(message);
  for (const [number, text] of [source.text, ...source.overlays.map((overlay) => overlay.text)].entries()) {
    for (let start = 0; start < text.length; start += PIECE_LENGTH) {
      send({ kind: 'piece', number, text: text.slice(start, start + PIECE_LENGTH) });
      await nextTurn();
    }
  }
  send({ kind: 'compare', file, overlays: source.overlays.map((overlay) => overlay.file), options: source.options });
}

function createDocumentError(faults: readonly string[]): Refused {
  const details = faults.slice(0, MAX_DETAILS).map((message) => ({ path: '/document', message }));
  return new Refused('document_invalid', { details });
}
