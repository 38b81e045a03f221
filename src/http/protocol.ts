import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The protocol between client and gateway. */
export function findProtocol(socket: Socket): 'http' | 'https' {
  return (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
}
