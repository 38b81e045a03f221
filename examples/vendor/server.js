// Says what it was asked for. A real vendor's service would be at https://api.vendor.example.
import { createServer } from 'node:http';

const server = createServer(({ method, url }, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(`${JSON.stringify({ asked: `${method} ${url}`, note: null })}\n`);
});
server.listen(Number(process.env.PORT ?? 9003), '127.0.0.1', () => process.stdout.write('listening\n'));
