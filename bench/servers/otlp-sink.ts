import { createServer } from 'node:http';

/** A receiver of traces that reads and forgets them: `node otlp-sink.ts PORT`. */
createServer((req, res) => {
  req.resume();
  req.once('end', () => res.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end());
}).listen(Number(process.argv[2]), '127.0.0.1');
