import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Times in ms from the start of the drain. */
export interface DrainTimes {
  /** After this, idle connections are closed. */
  quietMs: number;
  /** After this, all connections are closed. */
  deadlineMs: number;
}

interface Drain {
  /** Records a response. Call this when its request arrives. */
  track: (res: ServerResponse) => void;
  /** Stops listening; resolves when the last connection is gone. */
  close: () => Promise<void>;
}

/**
 * Stops a server without cutting off any request. Idle connections stay open for some time, because the next request
 * may already be on its way. Such a request is served with `Connection: close`. (The `close` of an HTTP server closes
 * idle connections immediately.)
 */
export function createDrain(server: Server, { quietMs, deadlineMs }: DrainTimes): Drain {
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  const requestClose = (res: ServerResponse) => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  return {
    track(res) {
      inFlight.add(res);
      res.once('close', () => inFlight.delete(res));
      if (isDraining) requestClose(res);
    },
    async close() {
      isDraining = true;
      inFlight.forEach(requestClose);
      const closed = once(server, 'close');
      NetServer.prototype.close.call(server);
      const timers = [
        setTimeout(() => server.closeIdleConnections(), quietMs),
        setTimeout(() => server.closeAllConnections(), deadlineMs),
      ];
      await closed;
      timers.forEach(clearTimeout);
    },
  };
}
