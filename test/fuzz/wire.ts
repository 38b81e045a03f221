import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { Finding } from './finding.ts';
import { ResponseParser } from './response-parser.ts';

/** How a client sends its bytes to the gateway, and how it behaves. Positions are in thousandths of all bytes. */
export interface Delivery {
  /** The boundaries of packets, and the pause after each, in ms. */
  readonly cuts: readonly { readonly at: number; readonly pauseMs: number }[];
  /** After this position, nothing more is sent. Null: everything is sent. */
  readonly stopAt: number | null;
  /**
   * `stay`: waits for the responses, then closes. `end`: sends a FIN immediately. `reset`: sends a RST after the last
   * byte. `vanish`: sends nothing more and waits to be closed.
   */
  readonly ending: 'stay' | 'end' | 'reset' | 'vanish';
  /** False if the client does not read, so that responses back up in the gateway. */
  readonly reads: boolean;
}

const place = fc.nat(1000);
const cut = fc.record({ at: place, pauseMs: fc.constantFrom(0, 0, 0, 1, 5, 30) });

export const deliveries: fc.Arbitrary<Delivery> = fc.record({
  cuts: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(cut, { maxLength: 8 }) }),
  stopAt: fc.option(
    place.map((at) => 1000 - at),
    { freq: 1 },
  ),
  ending: fc.oneof(
    { weight: 20, arbitrary: fc.constant('stay' as const) },
    { weight: 4, arbitrary: fc.constant('end' as const) },
    { weight: 6, arbitrary: fc.constant('reset' as const) },
    { weight: 1, arbitrary: fc.constant('vanish' as const) },
  ),
  reads: fc.oneof({ weight: 40, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

export interface Received {
  readonly parser: ResponseParser;
  readonly closed: boolean;
  readonly reset: boolean;
}

/** The time after which a connection counts as leaked. It is longer than any timeout of the gateway here. */
const MAX_IDLE_MS = 30_000;
/** The time for which a client that does not read waits before it reads. */
const UNREAD_MS = 100;
/** The time without any bytes after which a client stops waiting, if its input was malformed. */
const QUIET_MS = 60;

/** A client connection whose responses are parsed strictly. */
export class ClientConnection {
  readonly socket: Socket;
  readonly parser: ResponseParser;
  closed = false;
  /** True if the connection was still open when the client closed it. */
  wasOpen = false;
  reset = false;
  #problem: Finding | null = null;
  #heardAt = performance.now();
  #wake: () => void = () => undefined;

  constructor(port: number, methodOf: (index: number) => string) {
    this.parser = new ResponseParser(methodOf);
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk) => this.#take(String(chunk)));
    this.socket.on('end', () => this.parser.end());
    this.socket.on('error', () => (this.reset = true));
    this.socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  /** The time since the last bytes arrived, in ms. */
  get quietMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** Sends the text. `isEnough` returns true once all expected responses have arrived, and null if that is unknown. */
  async deliver(
    text: string,
    { cuts, stopAt, ending, reads }: Delivery,
    isEnough: () => boolean | null,
  ): Promise<void> {
    const bytes = Buffer.from(text, 'latin1').subarray(
      0,
      stopAt === null ? undefined : Math.floor((stopAt / 1000) * text.length),
    );
    if (!reads) this.socket.pause();
    // Wait until the connection is established. Before that, a reset would not be sent, and written bytes would be
    // lost.
    await this.#until(() => !this.socket.connecting);
    let from = 0;
    for (const { at, pauseMs } of cuts.toSorted((a, b) => a.at - b.at)) {
      const to = Math.floor((at / 1000) * bytes.length);
      if (to > from) this.#write(bytes.subarray(from, to));
      from = Math.max(from, to);
      await (pauseMs === 0 ? new Promise(setImmediate) : sleep(pauseMs));
    }
    this.#write(bytes.subarray(from));
    if (ending === 'reset') {
      await this.#until(() => this.socket.writableLength === 0);
      this.socket.resetAndDestroy();
      return;
    }
    if (!reads) await sleep(UNREAD_MS);
    this.socket.resume();
    if (ending === 'stay') await this.#until(() => isEnough() ?? this.quietMs > QUIET_MS);
    this.wasOpen = !this.closed;
    if (ending !== 'vanish') this.socket.end();
    await this.#until(() => false);
  }

  /**
   * Ends the connection and checks it.
   *
   * @throws Finding if bytes were invalid, or if the gateway did not close the connection in time
   */
  finish(): void {
    this.socket.destroy();
    if (this.#problem !== null) throw this.#problem;
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length > 0 && this.socket.writable) this.socket.write(bytes);
  }

  #take(chunk: string): void {
    this.#heardAt = performance.now();
    try {
      if (this.#problem === null) this.parser.push(chunk);
    } catch (error) {
      if (!(error instanceof Finding)) throw error;
      this.#problem = error;
    }
    this.#wake();
  }

  /**
   * Waits until the condition holds or the connection is closed. It waits as long as bytes flow in either direction.
   */
  async #until(holds: () => boolean): Promise<void> {
    let movedAt = performance.now();
    let unsent = this.socket.writableLength;
    while (!this.closed && !holds()) {
      if (this.socket.writableLength < unsent) movedAt = performance.now();
      unsent = this.socket.writableLength;
      if (performance.now() > Math.max(movedAt, this.#heardAt) + MAX_IDLE_MS) {
        this.#problem ??= new Finding('a connection hangs', `${this.parser.answers.length} answers`);
        return;
      }
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, 20);
      });
      clearTimeout(timer);
    }
  }
}
