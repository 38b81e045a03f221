import { createServer } from 'node:http';

/** `GET /pets/N` responds with N bytes, and `POST` with a pet after reading the whole body. */
const { PORT } = process.env;
const pet = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}';
const bodies = new Map<string, Buffer>();

function createBody(bytes: string): Buffer {
  let body = bodies.get(bytes);
  if (body === undefined) bodies.set(bytes, (body = Buffer.alloc(Number(bytes), 'x')));
  return body;
}

const server = createServer((req, res) => {
  const isRead = req.method === 'GET';
  const body = isRead && req.url !== '/pets/1' ? createBody(req.url!.slice('/pets/'.length)) : Buffer.from(pet);
  req.resume();
  req.once('end', () => {
    res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length }).end(body);
  });
});
// As nginx elsewhere in the bench: a connection that closes while it is taken for a request would spoil a round.
server.keepAliveTimeout = 3_600_000;
server.listen(Number(PORT), '127.0.0.1');
