import { createServer } from 'node:http';

/** `GET /pets/N` answers N bytes, and `POST` a pet when it has read all of the body. */
const { PORT } = process.env;
const pet = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}';
const bodies = new Map<string, Buffer>();

function bodyOf(bytes: string): Buffer {
  let body = bodies.get(bytes);
  if (body === undefined) bodies.set(bytes, (body = Buffer.alloc(Number(bytes), 'x')));
  return body;
}

createServer((req, res) => {
  const isRead = req.method === 'GET';
  const body = isRead && req.url !== '/pets/1' ? bodyOf(req.url!.slice('/pets/'.length)) : Buffer.from(pet);
  req.resume();
  req.once('end', () => {
    res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length }).end(body);
  });
}).listen(Number(PORT), '127.0.0.1');
