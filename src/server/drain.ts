import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** How long a connection is idle before it is closed: the client's next request may be on its way. */
const QUIET_MS = 1000;
const CHECK_MS = 100;
/** How long to accept what is waiting, at most: under a flood of connections it never ends. */
const ACCEPT_MS = 100;
const SHORT_TURN_MS = 0.05;

/**
 * Stops a server without cutting anybody off: it takes no new connections, finishes what runs with
 * `Connection: close`, closes each connection that was idle for a second, and at the deadline all that are left. An idle
 * connection is not closed at once, as `server.close()` would.
 *
 * @param deadline ms
 */
export async function drainServer(server: Server, connections: Connections, deadline: number): Promise<void> {
  const startedAt = performance.now();
  await acceptWaiting(connections);
  const closed = new Promise<void>((resolve) => {
    // Of net, not of http: that one closes idle connections.
    NetServer.prototype.close.call(server, () => resolve());
  });
  // Not sooner: who is told to connect anew must not find this listener.
  connections.announceClose();
  const idle = new IdleConnections(connections);
  const check = setInterval(() => {
    if (performance.now() - startedAt >= deadline) for (const { socket } of connections.all()) socket.destroy();
    // After the turn's reading: what has arrived by now is a request and no longer idle.
    else setImmediate(() => idle.close(performance.now()));
  }, CHECK_MS);
  await closed;
  clearInterval(check);
  // Ends the timer with which http looks for slow connections; nothing listens any more.
  server.close();
}

/**
 * Accepts the connections that the system has taken on our behalf: they would be reset when the listener closes, and
 * their clients have sent a request, or will. Ends right after a turn of the event loop in which there was none to
 * accept and next to nothing else to do, so that hardly any can have come since.
 */
async function acceptWaiting(connections: Connections): Promise<void> {
  let now = performance.now();
  const giveUpAt = now + ACCEPT_MS;
  while (now < giveUpAt) {
    const { accepted } = connections;
    const turnBegan = now;
    await nextTurn();
    now = performance.now();
    if (connections.accepted === accepted && now - turnBegan < SHORT_TURN_MS) return;
  }
}

interface Mark {
  /** By `performance.now()`. */
  readonly since: number;
  /** Received until then: more means that a request has begun to arrive. */
  readonly received: number;
}

class IdleConnections {
  readonly #connections: Connections;
  readonly #marks = new WeakMap<Socket, Mark>();

  constructor(connections: Connections) {
    this.#connections = connections;
    this.close(performance.now());
  }

  /** Closes those that are idle for long enough. */
  close(now: number): void {
    for (const connection of this.#connections.all()) {
      const { socket } = connection;
      if (connection.isBusy) {
        this.#marks.delete(socket);
        continue;
      }
      const mark = this.#marks.get(socket);
      if (mark === undefined) this.#marks.set(socket, { since: now, received: socket.bytesRead });
      else if (now - mark.since >= QUIET_MS && socket.bytesRead === mark.received) socket.destroy();
    }
  }
}
