import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Computes the `Sec-WebSocket-Accept` of a handshake (RFC 6455, 4.2.2). */
export function computeAccept(req: IncomingMessage): string {
  const key = `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  return createHash('sha1').update(key).digest('base64');
}

/** Echoes each frame, unmasked. Frames above 64 KB are not supported. */
export function echoFrames(socket: Duplex, head: Buffer): void {
  let pending = head;
  const take = (): boolean => {
    if (pending.length < 2) return false;
    const short = pending[1]! & 0x7f;
    const offset = short === 126 ? 4 : 2;
    if (pending.length < offset) return false;
    const length = short === 126 ? pending.readUInt16BE(2) : short;
    if (pending.length < offset + 4 + length) return false;
    const mask = pending.subarray(offset, offset + 4);
    const payload = Buffer.from(
      pending.subarray(offset + 4, offset + 4 + length).map((byte, at) => byte ^ mask[at % 4]!),
    );
    socket.write(createFrame(pending[0]!, payload));
    if ((pending[0]! & 0x0f) === 8) socket.end();
    pending = pending.subarray(offset + 4 + length);
    return true;
  };
  const takeAll = () => {
    while (take());
  };
  takeAll();
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    takeAll();
  });
}

/** Creates an unmasked frame. */
export function createFrame(first: number, payload: Buffer): Buffer {
  const length = Buffer.alloc(payload.length < 126 ? 1 : 3, payload.length < 126 ? payload.length : 126);
  if (payload.length >= 126) length.writeUInt16BE(payload.length, 1);
  return Buffer.concat([Buffer.from([first]), length, payload]);
}
