import type { Socket } from 'node:net';
import type { ErrorCode } from '../errors.ts';
import type { Exchange, Refusal } from './exchange.ts';
import type { RefuseRaw } from './raw-refusal.ts';

/** For a listener whose requests may be at work while they still arrive. */
export interface InFlight {
  /** The latest request on a connection. */
  readonly exchangeOn: (socket: Socket) => Exchange | undefined;
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
}

/** Answers what Node's parser refuses, and what takes too long to arrive. */
export function createClientErrorListener(refuseRaw: RefuseRaw, inFlight?: InFlight) {
  return function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = codeOf(error);
    const exchange = inFlight?.exchangeOn(socket);
    if (exchange?.closing === true) return;
    if (inFlight === undefined || exchange === undefined || exchange.res.writableFinished) {
      refuseRaw(socket, code, { parser: error.code });
    } else if (exchange.req.complete) {
      // What follows a request is broken while that one is at work: there is nothing left to say on this connection.
      socket.destroy();
    } else {
      inFlight.interrupt(exchange, { code, close: true });
    }
  };
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}
