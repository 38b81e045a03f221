import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlOf } from '../server/listener.ts';
import { clientErrorCode } from '../server/client-error.ts';
import { createAddressLimiter } from '../pipeline/caller/address-limiter.ts';
import { createRefuseRaw, type RefuseRaw } from '../pipeline/http/raw-refusal.ts';
import { createAdmin, type AdminSettings } from './app.ts';

export interface AdminServer {
  readonly server: Server;
  /** Stops accepting requests and waits for the running ones, `CLOSE_TIMEOUT_MS` at most. */
  close(): Promise<void>;
}

const FAILED_ATTEMPTS = { limit: 10, withinMs: 60_000 };
const CLOSE_TIMEOUT_MS = 2000;

export function createAdminServer(settings: Omit<AdminSettings, 'addressLimiter' | 'listensAt'>): AdminServer {
  const addressLimiter = createAddressLimiter(FAILED_ATTEMPTS, settings.clock);
  const admin = createAdmin({ ...settings, addressLimiter, listensAt: () => new URL(urlOf(server)) });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, admin);
  // Otherwise Node answers by itself, before the token is checked.
  server.on('checkExpectation', admin);
  refuseUnparsed(server, createRefuseRaw(addressLimiter, settings.logger));
  return {
    server,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const late = new AbortController();
      const timeout = sleep(CLOSE_TIMEOUT_MS, undefined, { signal: late.signal, ref: false }).catch(() => {});
      await Promise.race([closed, timeout]);
      late.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers what Node's parser refuses; if an earlier request on the connection still runs, closes the connection. */
function refuseUnparsed(server: Server, refuseRaw: RefuseRaw): void {
  const latestResponse = new WeakMap<Socket, ServerResponse>();
  for (const event of ['request', 'checkExpectation']) {
    server.prependListener(event, ({ socket }: IncomingMessage, res: ServerResponse) =>
      latestResponse.set(socket, res),
    );
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || latestResponse.get(socket)?.closed === false)
      socket.destroy();
    else refuseRaw(socket, clientErrorCode(error), { parser: error.code });
  });
}
