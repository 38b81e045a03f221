import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { applyRequest } from '../apply-request.ts';
import type { TunnelEnd, UpstreamRequest } from '../upstream.ts';
import { failureOf } from './failure.ts';
import type { Target } from './target.ts';

interface Attempt {
  readonly target: Target;
  /** ms */
  readonly timeout: number;
  readonly opened: () => void;
  readonly failed: (error: Error) => void;
}

/** Makes WebSocket connections to a target. */
export type HttpUpgrade = (target: Target, request: UpstreamRequest, end: TunnelEnd, timeout: number) => Promise<void>;

export function createHttpUpgrade(name: string, headersFor: (headers: readonly string[]) => string[]): HttpUpgrade {
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const { upgrade } = createProxyMiddleware({
    // Chosen for each request by the router.
    target: 'http://target.invalid',
    changeOrigin: true,
    router: (req) => attempts.get(req)?.target.url ?? '',
    on: {
      proxyReqWs(proxyReq, req, socket) {
        const attempt = attempts.get(req);
        if (attempt === undefined) return;
        const timer = setTimeout(() => {
          proxyReq.destroy(Object.assign(new Error('no answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
        }, attempt.timeout);
        const settled = () => {
          clearTimeout(timer);
          attempt.opened();
        };
        proxyReq.once('upgrade', (_response, targetSocket: Socket) => {
          settled();
          // Each end goes with the other, however it went.
          targetSocket.once('close', () => socket.destroySoon());
          socket.once('close', () => targetSocket.destroy());
        });
        proxyReq.once('response', settled).once('close', () => clearTimeout(timer));
        socket.once('close', () => proxyReq.destroy());
      },
      error(error, req, socket) {
        // The library ends the connection next; it is still owed an answer.
        socket.end = () => socket as never;
        attempts.get(req)?.failed(error);
      },
    },
  });

  return function httpUpgrade(target, request, { socket, head }, timeout) {
    request.headers.splice(0, Number.POSITIVE_INFINITY, ...headersFor(request.headers));
    const req = applyRequest(request);
    return new Promise<void>((opened, reject) => {
      const failed = (error: Error) => reject(failureOf(error, null, name));
      attempts.set(req, { target, timeout, opened, failed });
      upgrade(req, socket, head);
    });
  };
}
