import express from 'express';
import { settings } from './settings.ts';

const app = express();
app.disable('etag').disable('x-powered-by');
app.get('/pets/:petId', (_req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(settings.pet));
});
app.listen(settings.port, '127.0.0.1');
