import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';

const QUIET_MS = 1000;
const CHECK_MS = 100;

/**
 * Stops a server without cutting anybody off: it takes no new connections, finishes what runs, closes connections that
 * were idle for a second, and at the deadline all that are left. An idle connection is not closed at once, as
 * `server.close()` would: the client's next request may be on its way, and would fail.
 *
 * @param lastRequestAt when a request last arrived, by `performance.now()`
 * @param deadline ms
 */
export async function drainServer(server: Server, lastRequestAt: () => number, deadline: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // Of net, not of http: that one closes idle connections.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const startedAt = performance.now();
  const check = setInterval(() => {
    const now = performance.now();
    if (now - startedAt >= deadline) server.closeAllConnections();
    else if (now - Math.max(startedAt, lastRequestAt()) >= QUIET_MS) server.closeIdleConnections();
  }, CHECK_MS);
  await closed;
  clearInterval(check);
  // Ends the timer with which http looks for slow connections; nothing listens any more.
  server.close();
}
