import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorStep } from '../exchange/run-steps.ts';
import type { Connection } from '../../http/connections.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { closeLingering, isLingering, discardInput } from '../../http/linger.ts';
import { toClientErrorCode, type RefuseRaw } from '../../http/raw-refusal.ts';

/** Responds to requests that Node's parser refuses or that take too long to arrive. */
export function createClientErrorListener(
  refuseRaw: RefuseRaw,
  findConnection: (socket: Socket) => Connection<Exchange> | undefined,
  interrupt: ErrorStep['interrupt'],
) {
  return function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // The response to the last request on this connection is already being sent. The parser may still find an error in
    // the data after that request.
    if (isLingering(socket) && error.code !== 'ECONNRESET') return;
    const connection = findConnection(socket);
    if (error.code === 'ECONNRESET' || !socket.writable || connection === undefined) {
      socket.destroy();
      return;
    }
    const code = toClientErrorCode(error);
    if (connection.isServing() && !connection.latestRequest.req.complete) {
      // The error is in the body of the running request. Nothing after it can be read, so the connection must close.
      const { res } = connection.latestRequest;
      if (res.headersSent && !connection.isClosing) res.once('close', () => closeLingering(socket));
      connection.markLast();
      interrupt(connection.latestRequest, { code, close: true });
    } else if (!connection.isClosing) {
      // The requests before the error get their responses first.
      connection.markLast();
      connection.runInTurn(() => refuseRaw(socket, code, { parser: error.code }));
    }
  };
}

/**
 * Refuses CONNECT, because the gateway offers no tunnels to other hosts. Earlier requests on the connection get their
 * responses first. Node has already removed its listeners from the connection, so this function must itself listen for a
 * reset by the client (`error`) and for room to write more (`drain`).
 *
 * @param stream the stream that Node passes: not the socket itself if the request has a body
 */
export function refuseConnect(
  socket: Socket,
  stream: Duplex,
  connection: Connection<Exchange> | undefined,
  refuseRaw: RefuseRaw,
): void {
  socket.on('error', () => socket.destroy());
  if (stream !== socket) stream.on('error', () => socket.destroy());
  if (connection === undefined || connection.isClosing) return;
  connection.markLast();
  connection.runInTurn(() => refuseRaw(socket, 'method_not_allowed', {}, ['Allow', 'GET, HEAD']));
  socket.on('drain', () => {
    if (connection.isServing()) connection.latestRequest.res.emit('drain');
  });
  discardInput(socket);
  socket.once('end', () => socket.end());
}
