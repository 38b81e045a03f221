import type { Socket } from 'node:net';

/** Maximum time before the connection is closed: long enough to read a response, and too short to be worth abusing. */
const LINGER_MS = 2000;

const lingering = new WeakSet<Socket>();

function ignore(): void {
  // Discards the input.
}

/** Reads and discards all further input; none of it is parsed. */
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
  lingering.add(socket);
  discardInput(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the response is being sent and nothing more is read. The connection then ends soon by itself. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/** Makes Node call `closeLingering` to close the connection after its last response. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => closeLingering(socket);
}
