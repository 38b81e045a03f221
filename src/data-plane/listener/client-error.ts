import type { Socket } from 'node:net';
import type { Connection } from './connections.ts';
import { closeLingering, isLingering } from '../../http/linger.ts';
import { clientErrorCode, type RefuseRaw } from '../../http/raw-refusal.ts';
import type { ErrorStep } from '../exchange/run.ts';

/** Answers requests that Node's parser refuses or that take too long to arrive. */
export function createClientErrorListener(
  refuseRaw: RefuseRaw,
  connectionOf: (socket: Socket) => Connection | undefined,
  interrupt: ErrorStep['interrupt'],
) {
  return function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // The parser may still be at a packet whose first request was answered, and refuses what came behind it.
    if (isLingering(socket) && error.code !== 'ECONNRESET') return;
    const connection = connectionOf(socket);
    if (error.code === 'ECONNRESET' || !socket.writable || connection === undefined) {
      socket.destroy();
      return;
    }
    const code = clientErrorCode(error);
    if (connection.isServing() && !connection.exchange.req.complete) {
      // The fault is in the body of the running request. Nothing can be read after it, even if its answer has begun.
      const { res } = connection.exchange;
      if (res.headersSent && !connection.isClosing) res.once('close', () => closeLingering(socket));
      connection.markLast();
      interrupt(connection.exchange, { code, close: true });
    } else if (!connection.isClosing) {
      // The fault comes after requests already read: they are answered first.
      connection.markLast();
      connection.inTurn(() => refuseRaw(socket, code, { parser: error.code }));
    }
  };
}
