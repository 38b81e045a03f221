import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { TurnBatch } from '../../turn-batch.ts';
import { responseHeaders, responseTrailers } from './response-headers.ts';

/** How far an attempt came before it failed. */
export interface Progress {
  /** The pool has begun to send the request: the target may have acted on it. */
  readonly sent: boolean;
  /** It went over a connection that had answered before. */
  readonly reused: boolean;
  /** The first bytes of an answer came. */
  readonly answered: boolean;
}

/** What carries a request to its target. */
export interface Carrier {
  /** @returns whether it has carried another before */
  use(): boolean;
}

/** A body up to this size is sent together with the head, in one write. */
const SHORT_BYTES = 8192;

const answers = new TurnBatch<Relay>((relays) => {
  for (const relay of relays) relay.finish();
});

/** Sends a target's answer on to the consumer as it comes, as fast as the consumer takes it. One attempt. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #res: ServerResponse;
  readonly #done: () => void;
  readonly #failed: (error: Error, progress: Progress) => void;
  readonly #patience: number;
  #controller: Dispatcher.DispatchController | null = null;
  #waiting = false;
  #tooSlow: NodeJS.Timeout | undefined;
  #over = false;
  #sent = false;
  #answered = false;
  #reused = false;
  /** Bytes of the body that the head promises; NaN where it does not say. */
  #length = NaN;
  /** The body, where it came in one piece. */
  #whole: Buffer | null = null;
  /** Set by the connection that takes the request. */
  carrier: Carrier | null = null;

  /**
   * @param done the answer is sent, or cut off after its head
   * @param failed nothing of an answer was sent
   * @param patience how long the consumer may take nothing of the answer, in ms
   */
  constructor(
    res: ServerResponse,
    patience: number,
    done: () => void,
    failed: (error: Error, progress: Progress) => void,
  ) {
    this.#res = res;
    this.#patience = patience;
    this.#done = done;
    this.#failed = failed;
    res.once('close', this.#onClose);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sent = true;
    this.#reused = this.carrier?.use() ?? false;
    this.#controller = controller;
    if (this.#res.destroyed) controller.abort(new Error('the consumer left'));
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    const res = this.#res;
    if (status < 200) {
      // The other interim answers concern this connection, or nobody.
      if (status === 103 && res.req.httpVersionMinor > 0 && !res.headersSent && headers['link'] !== undefined)
        res.writeEarlyHints({ link: headers['link'] });
      return;
    }
    if (res.headersSent) {
      // The gateway has answered in the meantime.
      controller.abort(new Error('no longer needed'));
      return;
    }
    this.#length = Number(headers['content-length'] ?? NaN);
    if (message === undefined) res.writeHead(status, responseHeaders(headers));
    else res.writeHead(status, message, responseHeaders(headers));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#length && chunk.length <= SHORT_BYTES) {
      this.#whole = chunk;
      return;
    }
    if (this.#res.write(chunk) || this.#waiting) return;
    this.#waiting = true;
    controller.pause();
    this.#tooSlow = setTimeout(() => this.#res.destroy(), this.#patience);
    this.#res.once('drain', () => {
      clearTimeout(this.#tooSlow);
      this.#waiting = false;
      controller.resume();
    });
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#over = true;
    for (const _ in trailers) {
      this.#res.addTrailers(responseTrailers(trailers));
      break;
    }
    if (this.#whole !== null) {
      answers.add(this);
      return;
    }
    this.#res.end();
    this.#done();
  }

  /** Sends an answer that came in one piece. */
  finish(): void {
    // Node sends head and body as one piece where both are text; Latin-1 leaves the bytes as they are.
    if (!this.#res.destroyed) this.#res.end(this.#whole?.toString('latin1'), 'latin1');
    this.#done();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over = true;
    this.#res.off('close', this.#onClose);
    const progress = { sent: this.#sent, reused: this.#reused, answered: this.#answered };
    if (!this.#res.headersSent && !this.#res.destroyed) return this.#failed(error, progress);
    // A closed connection is all that can tell the consumer that this answer is not whole.
    if (!this.#res.writableEnded) this.#res.destroy();
    this.#done();
  }

  readonly #onClose = (): void => {
    clearTimeout(this.#tooSlow);
    if (!this.#over) this.#controller?.abort(new Error('the consumer left'));
  };
}
