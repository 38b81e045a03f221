import type { HttpSender } from './http-sender.ts';
import type { Message, Outcome, Sender } from './sender.ts';

/** A sender that is opened when it has something to send: many gateways never do, and a start is quick. */
export class LateSender implements Sender {
  readonly #open: () => Promise<HttpSender>;
  #opening: Promise<HttpSender> | null = null;

  constructor(open: () => Promise<HttpSender>) {
    this.#open = open;
  }

  async send(message: Message): Promise<Outcome> {
    this.#opening ??= this.#open();
    return (await this.#opening).send(message);
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }
}
