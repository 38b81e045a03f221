import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ways in which a module can misuse its response. The last segment of the path selects one. */
const misuses: Record<string, (res: ServerResponse, req: IncomingMessage) => unknown> = {
  'write-after-end'(res) {
    res.end('whole');
    res.write('more');
    setImmediate(() => res.write('still more'));
  },
  'end-twice'(res) {
    res.end('whole');
    res.end('twice');
  },
  'too-short'(res) {
    res.writeHead(200, { 'Content-Length': '10' });
    res.write('short');
    res.end();
  },
  'too-long'(res) {
    res.writeHead(200, { 'Content-Length': '5' });
    res.write('whole');
    res.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged');
    res.end();
  },
  'characters-for-bytes'(res) {
    const text = 'größer';
    res.setHeader('Content-Length', text.length);
    res.end(text);
  },
  'no-length'(res) {
    res.setHeader('Content-Length', 'b');
    res.write('');
    res.end('whole');
  },
  'none-for-head'(res) {
    res.writeHead(200, { 'Content-Length': '10' });
    res.end();
  },
  'throw-in-timer': () => setTimeout(fail, 5),
  'throw-in-timer-late'(res) {
    res.end('whole');
    setTimeout(fail, 5);
  },
  'throw-after-end'(res) {
    res.end('whole');
    fail();
  },
  'reject-unheard': () => void sleep(5).then(fail),
  'head-twice'(res) {
    setImmediate(() => {
      res.writeHead(200).write('once');
      res.writeHead(200);
    });
  },
  'bad-status': (res) => setImmediate(() => res.writeHead(99_999).end()),
  'bad-header': (res) => setImmediate(() => res.setHeader('X-Bad', 'a\nb')),
  'destroy-with-error': (res) => res.destroy(new Error('enough')),
  'emit-error': (res) => res.emit('error', new Error('said so')),
  fine: (res) => res.end('fine'),
};

function fail(): never {
  throw new Error('uncaught exception in the service');
}

export default {
  create: () => ({
    handler(req: IncomingMessage, res: ServerResponse) {
      return void misuses[req.url?.split('/').at(-1) ?? '']?.(res, req);
    },
    upgrade(req: IncomingMessage, socket: Duplex) {
      if (req.url?.endsWith('/throw') === true) fail();
      if (req.url?.endsWith('/emit-close') === true) {
        socket.emit('close');
        return;
      }
      setTimeout(fail, 5);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    },
    close: () => Promise.resolve(),
  }),
};
