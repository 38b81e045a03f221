import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { computeAccept, echoFrames } from '../../support/websocket.ts';

/** The paths of the service. The first segment selects the behavior, and the second is the token of the request. */
export const ECHO_PATHS = ['/echo/{token}', '/slow/{token}', '/early/{token}', '/large/{token}', '/public/{token}'];
const LARGE = Buffer.alloc(300_000, 'x');

/** A correct service. The headers and the body of each response name the request. */
export function createEchoService() {
  return { handler: respond, upgrade: accept, close: () => Promise.resolve() };
}

export default { create: createEchoService };

/** Serves the echo service on a free port. */
export async function startEchoService(): Promise<Server> {
  const { handler, upgrade } = createEchoService();
  const server = createServer((req, res) => void handler(req, res));
  server.on('upgrade', upgrade);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, what, token = ''] = (req.url ?? '').split('/');
  // Ignore clients that disconnect.
  res.on('error', () => undefined);
  res.setHeader('X-Token', token);
  let bytes = 0;
  if (what !== 'early') {
    try {
      for await (const chunk of req) bytes += (chunk as Buffer).length;
    } catch {
      return;
    }
  }
  if (what === 'slow') await sleep(20);
  if (what === 'large') {
    res.end(LARGE);
    return;
  }
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ token, bytes }));
}

function accept(req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const token = (req.url ?? '').split('/')[2] ?? '';
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', `X-Token: ${token}`];
  socket.on('error', () => socket.destroy());
  // The service must not see the key, so make the handshake fail if it does.
  if (req.rawHeaders.some((text) => text.includes('tg_live_'))) return void socket.destroy();
  socket.write(`${[...lines, `Sec-WebSocket-Accept: ${computeAccept(req)}`].join('\r\n')}\r\n\r\n`);
  echoFrames(socket, head);
}
