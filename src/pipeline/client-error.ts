import type { Socket } from 'node:net';
import type { ErrorCode } from '../errors.ts';
import type { Exchange, Refusal } from './exchange.ts';
import type { RefuseRaw } from './raw-refusal.ts';

export interface ClientErrorSettings {
  /** The latest request on a connection. */
  readonly exchangeOn: (socket: Socket) => Exchange | undefined;
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  readonly refuseRaw: RefuseRaw;
}

/** Answers what Node's parser refuses, and what takes too long to arrive. */
export function createClientErrorListener({ exchangeOn, interrupt, refuseRaw }: ClientErrorSettings) {
  return function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = codeOf(error);
    const exchange = exchangeOn(socket);
    if (exchange?.closing === true) return;
    if (exchange === undefined || exchange.res.writableFinished) {
      refuseRaw(socket, code, { parser: error.code });
    } else if (exchange.req.complete) {
      // What follows a request is broken while that one is at work: there is nothing left to say on this connection.
      socket.destroy();
    } else {
      interrupt(exchange, { code, close: true });
    }
  };
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}
