import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { computeAccept, echoFrames } from '../websocket.ts';

/**
 * Accepts WebSockets. Below `/chat`, it selects the first offered subprotocol, and below `/plain`, none. Every response
 * contains everything that the service sees of the request, so a test can find a key that reached the service.
 */
export function createService() {
  return {
    handler: (req: IncomingMessage, res: ServerResponse) => {
      const { searchParams } = new URL(req.url ?? '', 'http://service');
      const exposed = searchParams.getAll('expose').flatMap((names) => ['Access-Control-Expose-Headers', names]);
      const head = ['X-Seen', describeSight(req), 'ETag', '"1"', 'Location', '/plain/1', 'X-Total', '7', ...exposed];
      res.writeHead(201, head).end('made');
    },
    upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      const path = req.url?.split('?', 1)[0];
      if (path === '/plain/declined') {
        const lines = ['HTTP/1.1 404 Not Found', `X-Seen: ${describeSight(req)}`, 'Content-Length: 0'];
        socket.end(`${lines.join('\r\n')}\r\n\r\n`);
        return;
      }
      const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      lines.push(`Sec-WebSocket-Accept: ${computeAccept(req)}`, `X-Seen: ${describeSight(req)}`);
      const [offered] = req.headers['sec-websocket-protocol']?.split(',') ?? [];
      if (path === '/chat' && offered !== undefined) lines.push(`Sec-WebSocket-Protocol: ${offered.trim()}`);
      if (path === '/plain/forged')
        lines.push('Sec-WebSocket-Protocol: tollgate.key.forged', 'Sec-WebSocket-Protocol:');
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      echoFrames(socket, head);
    },
    close: () => Promise.resolve(),
  };
}

/** The request as the service sees it. */
interface Sight {
  readonly offered: string | null;
  readonly lines: readonly string[];
  readonly consumer: string | null;
  /** All headers, in every form in which Node provides them. */
  readonly all: string;
}

function describeSight({ headers, headersDistinct, rawHeaders, url }: IncomingMessage): string {
  const sight: Sight = {
    offered: headers['sec-websocket-protocol'] ?? null,
    lines: headersDistinct['sec-websocket-protocol'] ?? [],
    consumer: headers['x-consumer-id']?.toString() ?? null,
    all: JSON.stringify([url, rawHeaders, headers, headersDistinct]),
  };
  return encodeURIComponent(JSON.stringify(sight));
}

/**
 * Reads from a response what the service saw of the request.
 *
 * @param head the head of the response
 */
export function parseSight(head: string): Sight {
  const [, text] = /^x-seen: (.*)$/im.exec(head) ?? [];
  if (text === undefined) throw new Error(`no X-Seen in ${head}`);
  return JSON.parse(decodeURIComponent(text)) as Sight;
}

export default { create: createService };
