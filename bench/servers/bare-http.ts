import { createServer } from 'node:http';
import { settings } from './settings.ts';

createServer((_req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(settings.pet));
}).listen(settings.port, '127.0.0.1');
