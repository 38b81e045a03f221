import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex, pipeline } from 'node:stream';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { toUpstreamError } from './attempts.ts';
import { writeResponseHead } from './relay.ts';
import type { Target } from './target.ts';
import { applyRequest } from '../in-process/apply-request.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { TunnelEnd, UpstreamRequest } from '../upstream.ts';

/** Connecting to the target failed, so nothing was sent. */
export class TargetUnreachable extends UpstreamError {}

/**
 * Opens a WebSocket connection to its target. Resolves to the status of the response; rejects with an `UpstreamError`.
 * After `TargetUnreachable`, the same request may be sent to another target.
 */
type HttpUpgrade = (request: UpstreamRequest, end: TunnelEnd, timeoutMs: number) => Promise<number>;

interface HttpUpgradeOptions {
  /** Maximum pause in the body of a response that is not an upgrade. */
  readonly idleMs: number;
  /** Whether the `Host` is replaced with the target's. */
  readonly isOwnHost: boolean;
  /** In bytes. */
  readonly maxResponseHeader: number;
}

export function createHttpUpgrade(
  name: string,
  { httpUrl, tunnels }: Target,
  buildHeaders: (headers: readonly string[]) => string[],
  { idleMs, isOwnHost, maxResponseHeader }: HttpUpgradeOptions,
): HttpUpgrade {
  const { upgrade } = createProxyMiddleware({
    target: httpUrl.href,
    agent: tunnels,
    changeOrigin: isOwnHost,
    on: {
      proxyReqWs: (proxyReq, _req, attempt: Duplex) => {
        // Node reads `maxHeaderSize` when the request gets a connection. http-proxy-middleware has no option for it.
        Object.assign(proxyReq, { maxHeaderSize: maxResponseHeader });
        if (attempt instanceof UpgradeAttempt) attempt.follow(proxyReq);
      },
      error: (error, _req, attempt: object) => {
        if (attempt instanceof UpgradeAttempt) attempt.fail(error, false);
      },
    },
  });

  return function httpUpgrade(request, end, timeoutMs) {
    request.headers.splice(0, Number.POSITIVE_INFINITY, ...buildHeaders(request.headers));
    const attempt = new UpgradeAttempt(name, end, timeoutMs, idleMs);
    upgrade(applyRequest(request), attempt as Duplex as Socket, end.head);
    return attempt.status;
  };
}

/**
 * Stands in for the consumer's connection during one attempt. When an attempt fails, http-proxy-middleware ends the
 * connection that it was given. It also writes any response other than an upgrade directly to that connection. The
 * consumer's real connection must stay open for another target, or for the gateway's response.
 */
class UpgradeAttempt extends Duplex {
  readonly #upstream: string;
  readonly #end: TunnelEnd;
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  readonly #status = Promise.withResolvers<number>();
  #proxyReq: ClientRequest | null = null;
  /** Whether there is a connection to the target. Without a connection, nothing can have been sent. */
  #isConnected = false;
  #isReading = false;

  constructor(upstream: string, end: TunnelEnd, timeoutMs: number, idleMs: number) {
    super({ decodeStrings: false });
    this.#upstream = upstream;
    this.#end = end;
    this.#timeoutMs = timeoutMs;
    this.#idleMs = idleMs;
    end.socket.once('close', this.#onClose);
  }

  /** Resolves to the status of the target's response; rejects with an `UpstreamError`. */
  get status(): Promise<number> {
    return this.#status.promise;
  }

  /** Waits for the target's response to the handshake. */
  follow(proxyReq: ClientRequest): void {
    this.#proxyReq = proxyReq;
    let timer: NodeJS.Timeout | undefined;
    proxyReq
      .once('socket', () => {
        this.#isConnected = true;
        // Connecting has a time limit of its own, as for requests, so the time for the response begins here.
        timer = setTimeout(() => {
          proxyReq.destroy(Object.assign(new Error('no answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
        }, this.#timeoutMs);
      })
      .once('upgrade', (_response, targetSocket: Socket) => {
        clearTimeout(timer);
        this.#status.resolve(101);
        const { socket } = this.#end;
        // When either end closes, for any reason, the other end is closed too.
        targetSocket.once('close', () => this.end(() => socket.destroySoon()));
        socket.once('close', () => targetSocket.destroy());
      })
      .once('response', (response) => {
        clearTimeout(timer);
        this.#decline(response);
      })
      .once('close', () => clearTimeout(timer));
    // The consumer may have disconnected before the library created the request.
    if (this.#end.socket.destroyed) proxyReq.destroy();
  }

  /**
   * Rejects the attempt. Later errors of an open tunnel end up here too, but no longer change the status.
   *
   * @param responseStarted whether any part of a response arrived
   */
  fail(error: Error, responseStarted: boolean): void {
    const failure = toUpstreamError(error, responseStarted, this.#upstream);
    // The attempt also ends when the consumer disconnects. That does not mean that the target is unavailable.
    const isUnreachable = !this.#isConnected && !this.#end.socket.destroyed;
    this.#status.reject(isUnreachable ? new TargetUnreachable(failure.code, this.#upstream, error) : failure);
    this.destroy();
  }

  /** Forwards a response that is not an upgrade, like any other response. */
  #decline(response: IncomingMessage): void {
    // This keeps the library from writing the response: it writes nothing to a destroyed connection.
    this.destroy();
    response.once('error', ignore);
    try {
      const res = this.#end.decline();
      writeResponseHead(res, response.statusCode ?? 0, response.statusMessage, response.headers);
      response.setTimeout(this.#idleMs, () => response.destroy());
      // When one of the streams ends or fails, the other one ends too.
      pipeline(response, res, ignore);
      this.#status.resolve(response.statusCode ?? 0);
    } catch (error) {
      response.destroy();
      this.fail(error as Error, true);
    }
  }

  override _read(): void {
    const { socket } = this.#end;
    if (!this.#isReading) {
      this.#isReading = true;
      socket.on('data', this.#onData).once('end', this.#onEnd);
    }
    socket.resume();
  }

  override _write(chunk: Uint8Array | string, encoding: BufferEncoding, callback: () => void): void {
    if (this.#end.socket.write(chunk, encoding)) callback();
    else this.#end.socket.once('drain', callback);
  }

  override _final(callback: () => void): void {
    this.#end.socket.end();
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#end.socket.off('close', this.#onClose).off('data', this.#onData).off('end', this.#onEnd);
    callback(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#end.socket.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    this.#proxyReq?.destroy();
    this.destroy();
  };

  setTimeout(ms: number): this {
    this.#end.socket.setTimeout(ms);
    return this;
  }

  setNoDelay(on: boolean): this {
    this.#end.socket.setNoDelay(on);
    return this;
  }

  setKeepAlive(on: boolean, delayMs: number): this {
    this.#end.socket.setKeepAlive(on, delayMs);
    return this;
  }
}

function ignore(): void {
  // Nothing is left to do, because the end of the connection is handled as well.
}
