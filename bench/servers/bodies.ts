import { createServer } from 'node:http';

/** A server: `GET /pets/N` responds with N bytes, and `POST` responds with a pet after reading the whole body. */
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
// The timeout is the same as that of nginx in the bench. If a connection closed while a request was being sent on it,
// the round would be lost.
server.keepAliveTimeout = 3_600_000;
server.listen(Number(PORT), '127.0.0.1');
