import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connections } from './connections.ts';
import { endHandshakes } from './http-server.ts';

/** A connection is only closed after it was idle for this long, because the next request may be on its way. */
const IDLE_MS = 1000;
const CHECK_MS = 100;
/** Maximum time for accepting waiting connections. A flood of new connections must not delay the drain. */
const MAX_ACCEPT_MS = 100;
/** A turn of the event loop shorter than this did almost nothing. */
const SHORT_TURN_MS = 0.05;

/**
 * Stops a server gracefully: accepts no new connections, finishes running requests with `Connection: close`, closes each
 * connection that has been idle for `idleMs`, and closes all remaining connections at the deadline. Unlike
 * `server.close()`, this does not close idle connections immediately.
 */
export async function drainServer(
  server: Server,
  connections: Connections,
  deadlineMs: number,
  idleMs = IDLE_MS,
): Promise<void> {
  const startedAt = performance.now();
  await acceptWaiting(connections);
  const closed = new Promise<void>((resolve) => {
    // Call `close` of `net`, because `close` of `http` would also close idle connections.
    NetServer.prototype.close.call(server, () => resolve());
  });
  // Announce the end only after closing the listener, so that clients told to reconnect reach another gateway.
  connections.announceClose();
  const idle = new IdleConnections(connections, idleMs);
  const check = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= Math.min(idleMs, deadlineMs)) endHandshakes(server);
    if (elapsedMs >= deadlineMs) for (const { socket } of connections.list()) socket.destroy();
    // Wait for the reads of this turn: a connection whose request has just arrived is no longer idle.
    else setImmediate(() => idle.close(performance.now()));
  }, CHECK_MS);
  await closed;
  clearInterval(check);
  // The server has already stopped listening. This call only stops the timer with which it checks for slow requests.
  server.close();
}

/**
 * Accepts the connections that wait in the system's backlog. Closing the listener would reset them, although their
 * clients may already have sent a request. Stops after a short turn of the event loop that accepted no connection,
 * because the backlog is then almost certainly empty.
 */
async function acceptWaiting(connections: Connections): Promise<void> {
  let now = performance.now();
  const giveUpAt = now + MAX_ACCEPT_MS;
  while (now < giveUpAt) {
    const { accepted } = connections;
    const turnStartedAt = now;
    await nextTurn();
    now = performance.now();
    if (connections.accepted === accepted && now - turnStartedAt < SHORT_TURN_MS) return;
  }
}

interface IdleMark {
  /** Start of the idle time, in ms by `performance.now()`. */
  readonly idleSince: number;
  /** Number of bytes received at the start of the idle time. If more have arrived since then, a request has begun. */
  readonly receivedBytes: number;
}

class IdleConnections {
  readonly #connections: Connections;
  readonly #idleMs: number;
  readonly #marks = new WeakMap<Socket, IdleMark>();

  constructor(connections: Connections, idleMs: number) {
    this.#connections = connections;
    this.#idleMs = idleMs;
    this.close(performance.now());
  }

  /** Closes the connections that have been idle for long enough. */
  close(now: number): void {
    for (const connection of this.#connections.list()) {
      const { socket } = connection;
      if (connection.isBusy) {
        this.#marks.delete(socket);
        continue;
      }
      const mark = this.#marks.get(socket);
      if (mark === undefined) this.#marks.set(socket, { idleSince: now, receivedBytes: socket.bytesRead });
      else if (now - mark.idleSince >= this.#idleMs && socket.bytesRead === mark.receivedBytes) socket.destroy();
    }
  }
}
