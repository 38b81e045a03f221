import express from 'express';

/** A service with Express, which replaces the prototypes of requests and responses. */
export default {
  create() {
    const app = express();
    app.use((_req, res, next) => {
      res.set({ 'X-RateLimit-Limit': '1', 'X-Request-Id': 'forged', 'X-Early': 'kept' });
      next();
    });
    app.get('/echo', (req, res) => {
      res.set('X-RateLimit-Remaining', '1').append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2');
      res.json({ url: req.originalUrl, headers: req.headers });
    });
    app.get('/headers', (_req, res) => void res.status(201).send('ok'));
    // Node rejects these heads after it has accepted a part of them.
    app.get('/echo/reason', (_req, res) => {
      res.statusMessage = 'Ung\0ltig';
      res.end();
    });
    app.get('/echo/trailer', (_req, res) => void res.writeHead(204, { Trailer: 'X-Sum' }));
    app.get('/echo/coding', (_req, res) => void res.writeHead(200, { 'Transfer-Encoding': 'chunked', 'X-A': 'a\0b' }));
    app.get('/echo/again', (_req, res) => {
      try {
        res.writeHead(200, { 'X-A': 'a\0b' });
      } catch {
        res.writeHead(200, { 'X-RateLimit-Limit': '1' }).end('ok');
      }
    });
    app.get('/status/:status', (req, res) => void res.sendStatus(Number(req.params.status)));
    return { handler: app };
  },
};
