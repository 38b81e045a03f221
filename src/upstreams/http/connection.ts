import { Client, type Dispatcher } from 'undici';
import { Relay, type Carrier } from './relay.ts';

/** A connection of a pool that tells each request whether it had carried another before. */
export class Connection extends Client implements Carrier {
  #used = false;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => (this.#used = false));
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Relay) handler.carrier = this;
    return super.dispatch(options, handler);
  }

  use(): boolean {
    const used = this.#used;
    this.#used = true;
    return used;
  }
}
