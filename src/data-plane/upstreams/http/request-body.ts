import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a consumer's request, as handed to undici. It destroys a body that it cannot finish sending; that
 * must not destroy the consumer's connection, which is still owed an answer.
 */
export class RequestBody extends Readable {
  readonly #req: IncomingMessage;
  #attached = false;

  constructor(req: IncomingMessage) {
    super();
    this.#req = req;
    // undici listens for errors only while it sends; the consumer may leave before or after that.
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
      // Reads and discards the rest, because the consumer may not read a response before it has sent everything.
      if (!this.#req.complete) this.#req.resume();
    }
    callback(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#req.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    if (!this.#req.readableEnded) this.destroy(new Error('the consumer left'));
  };
}

function ignore(): void {
  // The sender of this body already knows about the error.
}
