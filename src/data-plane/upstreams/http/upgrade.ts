import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { failureOf } from './attempts.ts';
import { writeAnswerHead } from './relay.ts';
import type { Target } from './target.ts';
import { applyRequest } from '../in-process/apply-request.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { TunnelEnd, UpstreamRequest } from '../upstream.ts';

/** No connection to the target could be made: it was sent nothing. */
export class TargetUnreachable extends UpstreamError {}

interface Attempt {
  readonly end: TunnelEnd;
  readonly timeoutMs: number;
  /** Whether there is a connection to the target: before that, nothing can have been sent. */
  connected: boolean;
  /** Whether `answered` or `failed` was called. Later errors are those of an open tunnel or of an answer passed on. */
  settled: boolean;
  readonly answered: (status: number) => void;
  /** @param answered whether any part of an answer arrived */
  readonly failed: (error: Error, answered: boolean) => void;
}

/**
 * Opens a WebSocket connection to its target. Resolves to the status of its answer; rejects with an `UpstreamError`. After
 * `TargetUnreachable` it may be called again for the same request, without the head.
 */
export type HttpUpgrade = (request: UpstreamRequest, end: TunnelEnd, timeoutMs: number) => Promise<number>;

/** @param idleMs how long the body may pause if the answer is not an upgrade */
export function createHttpUpgrade(
  name: string,
  { url, tunnels }: Target,
  headersFor: (headers: readonly string[]) => string[],
  idleMs: number,
): HttpUpgrade {
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const { upgrade } = createProxyMiddleware({
    target: url,
    agent: tunnels,
    changeOrigin: true,
    on: {
      proxyReqWs(proxyReq, req, socket) {
        const attempt = attempts.get(req);
        if (attempt !== undefined) follow(proxyReq, socket, attempt, idleMs);
      },
      error(error, req, socket) {
        const attempt = attempts.get(req);
        if (attempt === undefined || attempt.settled) return;
        // The library would end the connection next, but the consumer is still owed an answer.
        socket.end = () => socket as never;
        attempt.failed(error, false);
      },
    },
  });

  return function httpUpgrade(request, end, timeoutMs) {
    request.headers.splice(0, Number.POSITIVE_INFINITY, ...headersFor(request.headers));
    const req = applyRequest(request);
    return new Promise<number>((resolve, reject) => {
      const attempt: Attempt = {
        end,
        timeoutMs,
        connected: false,
        settled: false,
        answered(status) {
          attempt.settled = true;
          resolve(status);
        },
        failed(error, answered) {
          attempt.settled = true;
          const failure = failureOf(error, answered, name);
          // A consumer that leaves ends the attempt, too: that is not the target's doing.
          const isUnreachable = !attempt.connected && !end.socket.destroyed;
          reject(isUnreachable ? new TargetUnreachable(failure.code, name, error) : failure);
        },
      };
      attempts.set(req, attempt);
      // An attempt before this one may have replaced it, see above.
      Reflect.deleteProperty(end.socket, 'end');
      upgrade(req, end.socket, end.head);
    });
  };
}

/** Waits for the target's answer to a handshake. */
function follow(proxyReq: ClientRequest, socket: Socket, attempt: Attempt, idleMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const leave = () => proxyReq.destroy();
  proxyReq
    .once('socket', () => {
      attempt.connected = true;
      // From here on, as for requests: how long the connection may take has a limit of its own.
      timer = setTimeout(() => {
        proxyReq.destroy(Object.assign(new Error('no answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
      }, attempt.timeoutMs);
    })
    .once('upgrade', (_response, targetSocket: Socket) => {
      clearTimeout(timer);
      attempt.answered(101);
      // When either end closes, however it does, the other is closed too.
      targetSocket.once('close', () => socket.destroySoon());
      socket.once('close', () => targetSocket.destroy());
    })
    .once('close', () => {
      clearTimeout(timer);
      socket.off('close', leave);
    });
  // The library adds its listener next, which would write a non-upgrade answer to the socket, bypassing the response.
  queueMicrotask(() => {
    proxyReq.removeAllListeners('response').once('response', (answer) => {
      clearTimeout(timer);
      decline(answer, attempt, idleMs);
    });
  });
  socket.once('close', leave);
  // The socket may have closed before the listener was added.
  if (socket.destroyed) proxyReq.destroy();
}

/** Passes on a non-upgrade answer like any other answer. */
function decline(answer: IncomingMessage, attempt: Attempt, idleMs: number): void {
  answer.once('error', ignore);
  try {
    const res = attempt.end.decline();
    writeAnswerHead(res, answer.statusCode ?? 0, answer.statusMessage, answer.headers);
    answer.setTimeout(idleMs, () => answer.destroy());
    // However either stream ends, the other ends with it.
    pipeline(answer, res, ignore);
    attempt.answered(answer.statusCode ?? 0);
  } catch (error) {
    answer.destroy();
    attempt.failed(error as Error, true);
  }
}

function ignore(): void {
  // The end of the connection says the same.
}
