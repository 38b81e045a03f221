import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { TurnBatch } from '../../../base/turn-batch.ts';
import { reasonBytes, writeAnswerHead } from './answer-head.ts';
import { responseTrailers } from './response-headers.ts';

/** How far an attempt got before it failed. */
export interface Progress {
  /** The pool has begun to send the request: the target may have acted on it. */
  readonly sent: boolean;
  /** It used a connection that had carried a request before. */
  readonly reused: boolean;
  /** The first bytes of an answer arrived. */
  readonly answered: boolean;
}

/** Why an answer was not passed on whole: the target broke off, or nobody wanted it any more. */
export type RelayFailure = 'incomplete_answer' | 'cancelled';

/** What carries a request to its target. */
export interface Carrier {
  /** @returns whether it has carried another request before */
  use(): boolean;
}

/** A body up to this size is sent together with the head, in one write. */
const MAX_SHORT_BODY_BYTES = 8192;
/** Interim answers passed on per request, so that they cannot pile up for a consumer that does not read them. */
const MAX_INTERIM = 16;

const answers = new TurnBatch<Relay>((relays) => {
  for (const relay of relays) relay.finish();
});

/** Streams a target's answer to the consumer, as fast as the consumer reads it. Used for one attempt. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #res: ServerResponse;
  readonly #done: (failure: RelayFailure | null) => void;
  readonly #failed: (error: Error, progress: Progress) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #awaitingDrain = false;
  #interimCount = 0;
  #over = false;
  #sent = false;
  #answered = false;
  #reused = false;
  /** The body's length that the head announces, in bytes; NaN if it does not. */
  #contentLength = NaN;
  /** The body, if it is short and came in one chunk. */
  #whole: Buffer | null = null;
  /** A part of the body has been passed on. */
  #streamed = false;
  /** Of the target's answer; 0: none. */
  status = 0;
  /** Set by the connection that takes the request. */
  carrier: Carrier | null = null;

  /**
   * @param done called when the answer is sent, or cut off after its head: then with why
   * @param failed called if no part of an answer was sent
   */
  constructor(
    res: ServerResponse,
    done: (failure: RelayFailure | null) => void,
    failed: (error: Error, progress: Progress) => void,
  ) {
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
   * Passes on an interim answer, as a proxy must (RFC 9110, 15.2), with only its `Link` headers. `100 Continue` is not
   * passed on: the gateway itself sends it to consumers that expect it.
   */
  onInterim(status: number, links: readonly string[]): void {
    const res = this.#res;
    if (status === 100 || res.req.httpVersionMinor === 0 || res.headersSent || res.destroyed) return;
    if (this.#interimCount++ >= MAX_INTERIM) return;
    // Node's writeEarlyHints accepts only some forms of Link. Older versions have only that: with them, hints are lost.
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
    this.status = status;
    if (this.#res.headersSent) {
      // The gateway has already answered.
      controller.abort(new Error('no longer needed'));
      return;
    }
    this.#contentLength = Number(headers['content-length'] ?? NaN);
    writeAnswerHead(this.#res, status, reasonBytes(message), headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#contentLength && chunk.length <= MAX_SHORT_BODY_BYTES) {
      this.#whole = chunk;
      return;
    }
    this.#streamed = true;
    if (this.#res.write(chunk) || this.#awaitingDrain) return;
    this.#awaitingDrain = true;
    controller.pause();
    this.#res.once('drain', () => {
      this.#awaitingDrain = false;
      controller.resume();
    });
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#over = true;
    for (const _ in trailers) {
      this.#res.addTrailers(responseTrailers(trailers));
      break;
    }
    if (!this.#streamed) {
      answers.add(this);
      return;
    }
    this.#res.end();
    this.#done(null);
  }

  /** Sends an answer of which only the head was written so far. */
  finish(): void {
    // Node sends head and body in one write if both are text; Latin-1 leaves the bytes unchanged.
    if (!this.#res.destroyed) this.#res.end(this.#whole?.toString('latin1'), 'latin1');
    this.#done(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over = true;
    this.#res.off('close', this.#onClose);
    const progress = { sent: this.#sent, reused: this.#reused, answered: this.#answered };
    if (!this.#res.headersSent && !this.#res.destroyed) return this.#failed(error, progress);
    const isWanted = !this.#res.destroyed && !this.#res.writableEnded;
    // Only a closed connection can tell the consumer that this answer is incomplete.
    if (isWanted) this.#res.destroy();
    this.#done(isWanted ? 'incomplete_answer' : 'cancelled');
  }

  readonly #onClose = (): void => {
    if (!this.#over) this.#controller?.abort(new Error('the consumer left'));
  };
}
