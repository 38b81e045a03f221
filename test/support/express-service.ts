import express from 'express';

/** A service on Express, which gives requests and responses prototypes of its own. */
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
    app.get('/status/:status', (req, res) => void res.sendStatus(Number(req.params.status)));
    return { handler: app };
  },
};
