import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { TurnBatch } from '../../base/turn-batch.ts';
import { reasonBytes, writeAnswerHead } from './answer-head.ts';
import { responseTrailers } from './response-headers.ts';

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
/** Interim answers that are passed on for one request: a consumer that reads none must not have them piled up. */
const MAX_INTERIM = 16;

const answers = new TurnBatch<Relay>((relays) => {
  for (const relay of relays) relay.finish();
});

/** Sends a target's answer on to the consumer as it comes, as fast as the consumer takes it. One attempt. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #res: ServerResponse;
  readonly #done: () => void;
  readonly #failed: (error: Error, progress: Progress) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #waiting = false;
  #interim = 0;
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
   */
  constructor(res: ServerResponse, done: () => void, failed: (error: Error, progress: Progress) => void) {
    this.#res = res;
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

  /**
   * Passes on an interim answer, as a proxy has to (RFC 9110, 15.2), with nothing of its headers but `Link`. Not
   * `100 Continue`: the gateway itself says that, to those who ask.
   */
  onInterim(status: number, links: readonly string[]): void {
    const res = this.#res;
    if (status === 100 || res.req.httpVersionMinor === 0 || res.headersSent || res.destroyed) return;
    if (this.#interim++ >= MAX_INTERIM) return;
    // Node's writeEarlyHints takes only some forms of Link. Older versions have no other way: there, hints are lost.
    res.writeInformation?.(
      status,
      links.flatMap((link) => ['Link', link]),
    );
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    if (this.#res.headersSent) {
      // The gateway has answered in the meantime.
      controller.abort(new Error('no longer needed'));
      return;
    }
    this.#length = Number(headers['content-length'] ?? NaN);
    writeAnswerHead(this.#res, status, reasonBytes(message), headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#length && chunk.length <= SHORT_BYTES) {
      this.#whole = chunk;
      return;
    }
    if (this.#res.write(chunk) || this.#waiting) return;
    this.#waiting = true;
    controller.pause();
    this.#res.once('drain', () => {
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
    if (!this.#over) this.#controller?.abort(new Error('the consumer left'));
  };
}
