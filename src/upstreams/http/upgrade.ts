import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { applyRequest } from '../apply-request.ts';
import type { TunnelEnd, UpstreamRequest } from '../upstream.ts';
import { writeAnswerHead } from './answer-head.ts';
import { failureOf } from './failure.ts';
import type { Target } from './target.ts';

interface Attempt {
  readonly target: Target;
  readonly end: TunnelEnd;
  readonly timeoutMs: number;
  /** Once either of these was called, errors are those of an open tunnel, or of an answer that is being passed on. */
  settled: boolean;
  readonly answered: () => void;
  /** @param answered whether something of an answer came */
  readonly failed: (error: Error, answered: boolean) => void;
}

/** Makes WebSocket connections to a target. */
export type HttpUpgrade = (
  target: Target,
  request: UpstreamRequest,
  end: TunnelEnd,
  timeoutMs: number,
) => Promise<void>;

/** @param idleMs how long the body of an answer that is no upgrade may pause */
export function createHttpUpgrade(
  name: string,
  headersFor: (headers: readonly string[]) => string[],
  idleMs: number,
): HttpUpgrade {
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const { upgrade } = createProxyMiddleware({
    // Chosen for each request by the router.
    target: 'http://target.invalid',
    changeOrigin: true,
    router: (req) => attempts.get(req)?.target.url ?? '',
    on: {
      proxyReqWs(proxyReq, req, socket) {
        const attempt = attempts.get(req);
        if (attempt !== undefined) follow(proxyReq, socket, attempt, idleMs);
      },
      error(error, req, socket) {
        const attempt = attempts.get(req);
        if (attempt === undefined || attempt.settled) return;
        // The library ends the connection next; it is still owed an answer.
        socket.end = () => socket as never;
        attempt.failed(error, false);
      },
    },
  });

  return function httpUpgrade(target, request, end, timeoutMs) {
    request.headers.splice(0, Number.POSITIVE_INFINITY, ...headersFor(request.headers));
    const req = applyRequest(request);
    return new Promise<void>((resolve, reject) => {
      const attempt: Attempt = {
        target,
        end,
        timeoutMs,
        settled: false,
        answered() {
          attempt.settled = true;
          resolve();
        },
        failed(error, answered) {
          attempt.settled = true;
          reject(failureOf(error, answered, name));
        },
      };
      attempts.set(req, attempt);
      upgrade(req, end.socket, end.head);
    });
  };
}

/** Waits for what the target says to a handshake. */
function follow(proxyReq: ClientRequest, socket: Socket, attempt: Attempt, idleMs: number): void {
  const timer = setTimeout(() => {
    proxyReq.destroy(Object.assign(new Error('no answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
  }, attempt.timeoutMs);
  proxyReq
    .once('upgrade', (_response, targetSocket: Socket) => {
      clearTimeout(timer);
      attempt.answered();
      // Each end goes with the other, however it went.
      targetSocket.once('close', () => socket.destroySoon());
      socket.once('close', () => targetSocket.destroy());
    })
    .once('close', () => clearTimeout(timer));
  // The library listens next, and would write an answer that is no upgrade to the connection, past the response.
  queueMicrotask(() => {
    proxyReq.removeAllListeners('response').once('response', (answer) => {
      clearTimeout(timer);
      decline(answer, attempt, idleMs);
    });
  });
  socket.once('close', () => proxyReq.destroy());
  // It may have closed before anybody listened.
  if (socket.destroyed) proxyReq.destroy();
}

/** Passes on an answer that is no upgrade, like any other answer. */
function decline(answer: IncomingMessage, attempt: Attempt, idleMs: number): void {
  answer.once('error', ignore);
  try {
    const res = attempt.end.decline();
    writeAnswerHead(res, answer.statusCode ?? 0, answer.statusMessage, answer.headers);
    answer.setTimeout(idleMs, () => answer.destroy());
    // However either of them ends, the other ends with it.
    pipeline(answer, res, ignore);
    attempt.answered();
  } catch (error) {
    answer.destroy();
    attempt.failed(error as Error, true);
  }
}

function ignore(): void {
  // What it would tell is told by the end of the connection.
}
