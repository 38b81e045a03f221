import type { Socket } from 'node:net';

/** Long enough to read an answer, too short to be worth holding on to. */
const LINGER_MS = 2000;

function ignore(): void {
  // Thrown away.
}

/** Reads what comes and throws it away: nothing of it is parsed any more. */
export function discardInput(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', ignore);
  socket.resume();
}

/**
 * Closes a connection whose client may still be sending. Closed at once, the answer would be lost: the system resets a
 * connection that is closed with data unread, and the client drops what it has not read yet.
 */
export function closeLingering(socket: Socket): void {
  discardInput(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}

/** Has Node close the connection in this way, once its last response is sent. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => closeLingering(socket);
}
