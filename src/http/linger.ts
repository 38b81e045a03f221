import type { Socket } from 'node:net';

/** Long enough to read a response, too short for the connection to be worth holding. */
const LINGER_MS = 2000;

const lingering = new WeakSet<Socket>();

function ignore(): void {
  // Discarded.
}

/** Reads and discards all further input; none of it is parsed. */
export function discardInput(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', ignore);
  socket.resume();
}

/**
 * Closes a connection whose client may still be sending. Closing it immediately would lose the response: the system
 * resets a connection that is closed with unread data, and the client then drops what it has not read yet.
 */
export function closeLingering(socket: Socket): void {
  lingering.add(socket);
  discardInput(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the response is being sent and nothing more is read: the connection will end soon by itself. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/** Makes Node close the connection this way after its last response. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => closeLingering(socket);
}
