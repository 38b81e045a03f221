import type { Tunnel } from '../websocket/tunnel.ts';

/** Counts the requests at work and the WebSockets that are open, so that it can be told when the last of them is over. */
export class Running {
  #count = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  begun(): void {
    this.#count++;
  }

  /**
   * A request has its answer.
   *
   * @param tunnel its connection, if it was a WebSocket handshake: it is at work until that is closed
   */
  ended(tunnel: Tunnel | null): void {
    if (tunnel === null || tunnel.socket.closed) this.#over();
    else tunnel.socket.once('close', () => this.#over());
  }

  /** Resolves once none is at work: at once, if none is. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  #over(): void {
    this.#count--;
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
