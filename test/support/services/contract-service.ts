import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Duplex } from 'node:stream';
import { computeAccept, echoFrames } from '../websocket.ts';

/**
 * The service of the contract suite for upstreams. The suite runs it as a module and over HTTP, and expects the same
 * behavior.
 */
export function createService() {
  let left = 0;
  let release: () => void = () => undefined;

  const operations: Record<string, (req: IncomingMessage, res: ServerResponse, url: URL) => Promise<void> | void> = {
    async echo(req, res) {
      const body = await read(req);
      const { method, url, rawHeaders, headers, headersDistinct } = req;
      res.setHeader('Content-Type', 'application/json');
      res.end(JSON.stringify({ method, url, rawHeaders, headers, distinct: headersDistinct, body }));
    },
    status(_, res, { pathname }) {
      res.writeHead(Number(pathname.split('/')[2]), 'As Asked').end();
    },
    headers(_, res) {
      const pairs = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2; Path=/', 'X-Mixed-Case', 'Kept', 'Vary', 'Accept'];
      pairs.push('Link', '</next>; rel="next"', 'X-Request-Id', 'forged', 'X-RateLimit-Limit', '1');
      pairs.push('Access-Control-Allow-Origin', 'https://upstream.example', 'Content-Length', '2');
      res.writeHead(200, 'Fine', pairs);
      res.end('ok');
    },
    trailers(_, res) {
      res.writeHead(200, { Trailer: 'X-Checksum' });
      res.write('body');
      res.addTrailers([
        ['X-Request-Id', 'forged'],
        ['X-Checksum', 'abc'],
        ['x-ratelimit-limit', '1'],
      ]);
      res.end();
    },
    async hints(_, res) {
      await new Promise<void>((resolve) => res.writeEarlyHints({ link: '</style.css>; rel=preload' }, resolve));
      res.end('ok');
    },
    async stream(_, res) {
      const released = new Promise<void>((resolve) => (release = resolve));
      res.write('first');
      await released;
      res.end('second');
    },
    events(_, res) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      const timer = setInterval(() => res.write('data: tick\n\n'), 20);
      res.once('close', () => {
        clearInterval(timer);
        left++;
      });
    },
    release(_, res) {
      release();
      res.writeHead(204).end();
    },
    mirror: (req, res) => pipeline(req, res),
    ignore(_, res) {
      res.end('not read');
    },
    throw() {
      throw new Error('before the head');
    },
    async 'throw-later'(_, res) {
      res.writeHead(200, { 'Content-Length': '100' });
      await new Promise((resolve) => res.write('part', resolve));
      throw new Error('after the head');
    },
    async hang(req, res) {
      res.once('close', () => left++);
      req.resume();
      await once(res, 'close');
    },
    left(_, res) {
      res.end(String(left));
    },
    async large(_, res, { searchParams }) {
      const chunk = Buffer.alloc(65_536, 'x');
      for (let rest = Number(searchParams.get('bytes')); rest > 0; rest -= chunk.length) {
        if (res.destroyed) return;
        if (!res.write(rest >= chunk.length ? chunk : chunk.subarray(0, rest))) await drained(res);
      }
      res.end();
    },
    async small(req, res) {
      res.end(String((await read(req)).length));
    },
    public: (req, res, url) => operations['echo']?.(req, res, url),
  };

  return {
    handler: (req: IncomingMessage, res: ServerResponse) => {
      const url = new URL(req.url ?? '', 'http://service');
      const operation = operations[url.pathname.split('/')[1] ?? ''];
      if (operation !== undefined) return operation(req, res, url);
      return void res.writeHead(404).end();
    },
    /** A WebSocket echo endpoint. */
    upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (req.url === '/echo/refused') {
        socket.resume().end('HTTP/1.1 418 No Tea\r\nContent-Length: 3\r\nX-Request-Id: forged\r\n\r\ntea');
        return;
      }
      const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      lines.push(`X-Seen-Consumer: ${String(req.headers['x-consumer-id'])}`);
      lines.push(`X-Seen-Key: ${String(req.headers['x-api-key'])}`, `X-Seen-Url: ${req.url}`, 'X-Request-Id: forged');
      lines.push(`Sec-WebSocket-Accept: ${computeAccept(req)}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      echoFrames(socket, head);
    },
    close: () => Promise.resolve(),
  };
}

export default { create: createService };

async function read(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}

async function drained(res: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() => over.abort());
}
