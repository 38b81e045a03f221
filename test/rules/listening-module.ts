import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A module that responds with the number of `error` listeners on each emitter that it gets. */
export default {
  create: () => ({
    handler(req: IncomingMessage, res: ServerResponse) {
      const [response, socket] = [res, req.socket].map((emitter) => emitter.listenerCount('error'));
      res.end(JSON.stringify({ response, socket }));
    },
    upgrade(_req: IncomingMessage, socket: Duplex) {
      const body = JSON.stringify({ socket: socket.listenerCount('error') });
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    },
  }),
};
