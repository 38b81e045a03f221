import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a consumer's request, for undici. undici destroys a body that it cannot finish sending. If it got the
 * request itself, that would destroy the consumer's connection, and the consumer would get no response.
 */
export class RequestBody extends Readable {
  readonly #req: IncomingMessage;
  #attached = false;

  constructor(req: IncomingMessage) {
    // Nothing is read ahead, so that the request does not end before the connection to the target has taken its body.
    // The end of a request says that its body no longer takes memory.
    super({ highWaterMark: 0 });
    this.#req = req;
    // undici listens for errors only while it sends, but the consumer may disconnect before or after that.
    this.on('error', ignore);
  }

  override _read(): void {
    if (!this.#attached) {
      this.#attached = true;
      this.#req.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onClose);
    }
    this.#req.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.#attached) {
      this.#req.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
      // The rest of the body is read and discarded, because the consumer may not read a response before it has sent
      // everything.
      if (!this.#req.complete) this.#req.resume();
    }
    callback(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    // `push` returns true even if undici has just paused because the connection to the target is full.
    if (!this.push(chunk) || this.isPaused()) this.#req.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    if (!this.#req.readableEnded) this.destroy(new Error('the consumer left'));
  };
}

function ignore(): void {
  // While undici sends the body, it handles the error itself. At any other time, the error does not matter.
}
