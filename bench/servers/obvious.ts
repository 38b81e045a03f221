import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import morgan from 'morgan';
import { settings } from './settings.ts';
import { createKeyAndLimits } from './two-limiters.ts';

const app = express();
app.use(morgan('combined'));
app.use(createKeyAndLimits('obvious'));
app.use(
  createProxyMiddleware({
    target: settings.upstream,
    changeOrigin: true,
    xfwd: true,
    // Without an agent, the proxy would open a connection for every request.
    agent: new Agent({ keepAlive: true }),
  }),
);
app.listen(settings.port, '127.0.0.1');
