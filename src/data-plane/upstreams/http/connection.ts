import { Client, type buildConnector, type Dispatcher } from 'undici';
import { takeInterimAnswers, type AnswerReader } from './interim-answers.ts';
import { Relay, type Carrier } from './relay.ts';

/** A connection of a pool. Tells each relay whether it has carried a request before, and passes on interim answers. */
export class Connection extends Client implements Carrier, AnswerReader {
  #used = false;
  #relay: Relay | null = null;
  awaitsHead = false;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => (this.#used = false));
  }

  /** The pool calls this only when the previous request has its whole answer: there is no pipelining. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.awaitsHead = true;
    if (handler instanceof Relay) {
      handler.carrier = this;
      this.#relay = handler;
    }
    return super.dispatch(options, handler);
  }

  use(): boolean {
    const used = this.#used;
    this.#used = true;
    return used;
  }

  onInterim(status: number, links: readonly string[]): void {
    this.#relay?.onInterim(status, links);
  }

  onHead(): void {
    this.awaitsHead = false;
    this.#relay = null;
  }
}

/**
 * Creates the factory for the connections of a pool.
 *
 * @param connect opens their sockets
 */
export function connectionFactory(connect: buildConnector.connector): (origin: URL, options: object) => Connection {
  return function createConnection(origin, options) {
    const connection = new Connection(origin, {
      ...options,
      connect: (to, done) =>
        connect(to, (...result) => {
          if (result[0] === null) takeInterimAnswers(result[1], connection);
          done(...result);
        }),
    });
    return connection;
  };
}
