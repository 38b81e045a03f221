import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { Balancer } from './balancer.ts';
import { hasBody } from '../../../http/framing.ts';
import { Relay, type AttemptProgress } from './relay.ts';
import { RequestBody } from './request-body.ts';
import type { TargetConnection } from './target-connection.ts';
import type { ReachedLimit, Target, Timeouts } from './target.ts';
import { UpstreamError, type UpstreamFailure } from '../upstream-error.ts';
import type { UpstreamRequest } from '../upstream.ts';

/** Safe methods (RFC 9110, 9.2.1). Sending such a request twice does no harm. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Options that all requests to an upstream share. */
interface AttemptOptions {
  /** The upstream's name. */
  readonly name: string;
  readonly balancer: Balancer;
  readonly timeouts: Timeouts;
  readonly logger: Logger;
}

/**
 * Sends a request to a target and forwards the response. If the first attempt fails, there is a second one, but only if
 * it is safe to repeat the request.
 */
export class Attempts {
  readonly #options: AttemptOptions;
  readonly #request: UpstreamRequest;
  readonly #headers: string[];
  readonly #res: ServerResponse;
  #mayRetry = true;
  #resolve: () => void = () => undefined;
  #reject: (error: UpstreamError) => void = () => undefined;

  /** @param headers for the target, as flat pairs */
  constructor(options: AttemptOptions, request: UpstreamRequest, headers: string[], res: ServerResponse) {
    this.#options = options;
    this.#request = request;
    this.#headers = headers;
    this.#res = res;
  }

  /** Resolves when the response has ended or was cut off; rejects with an `UpstreamError` if none has begun. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#attempt(this.#options.balancer.pick());
    });
  }

  #attempt(target: Target): void {
    // The consumer has disconnected, so there is nobody to respond to.
    if (this.#res.destroyed) return this.#resolve();
    target.load++;
    const connection = target.pool.take();
    if (connection === null) this.#wait(target, this.#request.timeoutMs ?? this.#options.timeouts.response);
    else this.#send(target, connection, this.#request.timeoutMs);
  }

  /** @param timeoutMs time limit for waiting and the response together */
  #wait(target: Target, timeoutMs: number): void {
    const startedAt = performance.now();
    const leaveQueue = target.pool.wait(
      (connection) => {
        this.#res.off('close', stopWaiting);
        this.#send(target, connection, Math.max(1, Math.round(startedAt + timeoutMs - performance.now())));
      },
      () => {
        this.#res.off('close', stopWaiting);
        this.#refuse(target, 'timeouts.wait');
      },
      Math.min(timeoutMs, this.#options.timeouts.wait),
    );
    const stopWaiting = () => {
      leaveQueue?.();
      target.load--;
      this.#resolve();
    };
    if (leaveQueue === null) this.#refuse(target, 'maxWaiting');
    else this.#res.once('close', stopWaiting);
  }

  #refuse(target: Target, limit: ReachedLimit): void {
    target.load--;
    this.#reject(this.#createBusyError(target, limit));
  }

  #createBusyError(target: Target, limit: ReachedLimit): UpstreamError {
    const { name, logger } = this.#options;
    target.reportBusy(limit, logger);
    return new UpstreamError('upstream_busy', name, new Error(`${limit} of ${target.url} is reached`));
  }

  /** @param timeoutMs time limit until the response begins; null: the upstream's default */
  #send(target: Target, connection: TargetConnection, timeoutMs: number | null): void {
    const { req, url, trace } = this.#request;
    const span = trace === null ? null : trace.attempt(target.url, this.#headers);
    const relay = new Relay(
      this.#res,
      (failure) => {
        release(target, connection, failure === null);
        span?.end(relay.status, failure);
        this.#resolve();
      },
      (error, progress) => {
        release(target, connection, !progress.isSent);
        const failure = toUpstreamError(error, progress.responseStarted, this.#options.name);
        span?.end(0, failure.code);
        this.#handleFailure(target, error, progress, failure);
      },
      () => (target.pool.becomeStream(connection) ? null : this.#createBusyError(target, 'maxStreams')),
    );
    const options = {
      method: req.method ?? 'GET',
      path: target.basePath + url,
      headers: this.#headers,
      body: hasBody(req) ? new RequestBody(req) : null,
      headersTimeout: timeoutMs,
      // Without this option, undici would open a new TLS connection whenever the `Host` differs from that of the last
      // request.
      servername: target.httpUrl.hostname,
    } satisfies Dispatcher.DispatchOptions & { servername: string };
    connection.dispatch(options, relay);
  }

  #handleFailure(target: Target, error: Error, progress: AttemptProgress, failure: UpstreamError): void {
    const { logger } = this.#options;
    if (!progress.isSent && isUnreachable(error)) {
      target.eject();
      logger.warn({ target: target.url, err: error }, 'target unreachable');
    }
    const next = this.#mayRetry ? this.#nextTarget(target, progress, failure) : null;
    this.#mayRetry = false;
    if (next === null) this.#reject(failure);
    else this.#attempt(next);
  }

  /**
   * Chooses the target for a second attempt. Null if there is none, or if the first target may have acted on a request
   * that is not safe to repeat.
   */
  #nextTarget(failed: Target, progress: AttemptProgress, { code }: UpstreamError): Target | null {
    const { balancer } = this.#options;
    if (!progress.isSent) return balancer.hasOther(failed) ? balancer.pick(failed) : null;
    // The target probably closed a kept-alive connection just as the gateway used it again.
    const { req } = this.#request;
    const isLostConnection =
      progress.isReused && code === 'upstream_unreachable' && SAFE_METHODS.has(req.method ?? '') && !hasBody(req);
    return isLostConnection ? failed : null;
  }
}

function release(target: Target, connection: TargetConnection, isReusable: boolean): void {
  target.load--;
  target.pool.release(connection, isReusable);
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** Error codes of undici that do not concern the target: the request is invalid, or the connection is being closed. */
const OWN_ERROR_CODES = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/**
 * Whether a failure to send was caused by the target. Otherwise, a consumer could eject a target by sending a request
 * that undici refuses.
 */
function isUnreachable(error: Error): boolean {
  return !OWN_ERROR_CODES.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Translates a connection error into the error for the consumer.
 *
 * @param responseStarted whether any part of a response arrived
 */
export function toUpstreamError(error: Error, responseStarted: boolean, upstream: string): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const isTooLong = HEADER_OVERFLOW_CODES.has((error as NodeJS.ErrnoException).code ?? '');
  const cause = isTooLong ? new Error('its header is larger than maxResponseHeader', { cause: error }) : error;
  return new UpstreamError(chooseCode(error, responseStarted), upstream, cause);
}

/** Error codes of undici and Node for a response head that is too large. */
const HEADER_OVERFLOW_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

function chooseCode(error: Error, responseStarted: boolean): UpstreamFailure {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (TIMEOUT_CODES.has(code)) return 'upstream_timeout';
  // The parser's error codes begin with HPE_.
  if (responseStarted || code.startsWith('HPE_')) return 'upstream_bad_response';
  return 'upstream_unreachable';
}
