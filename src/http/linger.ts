import type { Socket } from 'node:net';

/** A lingering connection is closed after this time: long enough to read a response, but too short to be abused. */
const LINGER_MS = 2000;

const lingeringSockets = new WeakSet<Socket>();

function ignore(): void {
  // Discards the input.
}

/** Discards all further input without parsing it. */
export function discardInput(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', ignore);
  socket.resume();
}

/**
 * Closes a connection whose client may still be sending. An immediate close would lose the response: the system resets
 * a connection that is closed with unread data, and the client then drops everything that it has not read yet.
 */
export function closeLingering(socket: Socket): void {
  lingeringSockets.add(socket);
  discardInput(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}

/** Whether `closeLingering` was called. The connection then closes by itself within a few seconds. */
export function isLingering(socket: Socket): boolean {
  return lingeringSockets.has(socket);
}

/** Makes Node call `closeLingering` to close the connection after its last response. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => closeLingering(socket);
}
