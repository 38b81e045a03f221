/**
 * A client in a process of its own. It sends one request many times on some connections, and reports when all responses
 * have arrived. Each connection sends its next request after the response to the one before.
 */
import { connect, type Socket } from 'node:net';

/** A request that is sent `count` times. The response must end with `responseEnd`. */
export interface RepeatedRequest {
  readonly port: number;
  /** The request line and the fields, with the empty line at their end. */
  readonly head: string;
  /** The body is this text, this many times. */
  readonly body: string;
  readonly bodyRepetitions: number;
  /** Whether each repetition is a chunk of its own. */
  readonly isChunked: boolean;
  readonly responseEnd: string;
  readonly count: number;
}

const CONNECTIONS = 8;
const sockets = new Map<number, Socket[]>();

function openSockets(port: number): Socket[] {
  let opened = sockets.get(port);
  if (opened === undefined) {
    opened = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      socket.on('error', fail).on('close', () => fail(new Error('the gateway closed a connection')));
      return socket;
    });
    sockets.set(port, opened);
  }
  return opened;
}

function fail(error: Error): void {
  process.send?.({ error: error.message });
  process.exit(1);
}

async function repeatRequest(request: RepeatedRequest): Promise<void> {
  const { isChunked, responseEnd, bodyRepetitions } = request;
  const chunk = isChunked ? `${request.body.length.toString(16)}\r\n${request.body}\r\n` : request.body;
  const head = Buffer.from(request.head);
  const piece = Buffer.from(chunk);
  const end = Buffer.from(isChunked ? '0\r\n\r\n' : '');
  const short = bodyRepetitions <= 1 ? Buffer.concat([head, bodyRepetitions === 1 ? piece : end, end]) : null;
  let remaining = request.count;
  const send = async (socket: Socket) => {
    if (short !== null) {
      socket.write(short);
      return;
    }
    socket.write(head);
    for (let sent = 0; sent < bodyRepetitions; sent++) {
      if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve));
    }
    if (end.length > 0) socket.write(end);
  };
  const repeat = (socket: Socket) =>
    new Promise<void>((resolve) => {
      let response = '';
      const next = () => {
        if (remaining-- > 0) {
          void send(socket);
        } else {
          socket.removeAllListeners('data');
          resolve();
        }
      };
      socket.on('data', (data) => {
        response += data.toString('latin1');
        if (!response.endsWith(responseEnd)) return;
        if (!response.startsWith('HTTP/1.1 2')) fail(new Error(`unexpected response: ${response.slice(0, 500)}`));
        response = '';
        next();
      });
      next();
    });
  await Promise.all(openSockets(request.port).map(repeat));
}

process.on('message', (request: RepeatedRequest) => {
  void repeatRequest(request).then(() => process.send?.({ error: null }), fail);
});
process.on('disconnect', () => process.exit());
