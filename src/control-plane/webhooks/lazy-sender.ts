import type { Logger } from 'pino';
import type { Clock } from '../../base/time.ts';
import type { HttpSender } from './http-sender.ts';
import type { Message, Outcome, Sender } from './sender.ts';

interface LazySenderOptions {
  readonly open: () => Promise<HttpSender>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Opens the sender when there is something to send, because many gateways never send events and start faster without
 * it. If opening fails, the attempt fails, and the next attempt tries to open the sender again.
 */
export class LazySender implements Sender {
  readonly #options: LazySenderOptions;
  #opening: Promise<HttpSender | null> | null = null;

  constructor(options: LazySenderOptions) {
    this.#options = options;
  }

  async send(message: Message): Promise<Outcome> {
    const at = this.#options.clock();
    const sender = await (this.#opening ??= this.#open());
    if (sender !== null) return sender.send(message);
    const error = 'the gateway could not send the event';
    return { at, durationMs: 0, status: null, error, answer: null, retryAfterMs: null };
  }

  /** Aborts attempts that are still running. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #open(): Promise<HttpSender | null> {
    try {
      return await this.#options.open();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'webhooks cannot be sent: the sender could not be loaded');
      this.#opening = null;
      return null;
    }
  }
}
