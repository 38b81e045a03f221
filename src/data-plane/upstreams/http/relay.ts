import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { isEventStreamType } from '../../responses/response.ts';
import { EventLoopBatch } from '../../../base/event-loop-batch.ts';
import { HOP_BY_HOP, parseConnectionHeader } from '../../../http/headers.ts';

/** How far an attempt got before it failed. */
export interface AttemptProgress {
  /** Whether sending the request has begun, so that the target may have acted on it. */
  readonly isSent: boolean;
  /** Whether the connection had carried a request before. */
  readonly isReused: boolean;
  /** Whether the first bytes of a response have arrived. */
  readonly responseStarted: boolean;
}

/**
 * Why a response was not forwarded completely: the target closed the connection early, or the consumer disconnected.
 */
type RelayFailure = 'incomplete_answer' | 'cancelled';

/** A body up to this size is sent together with the head, in one write. */
const MAX_SHORT_BODY_BYTES = 8192;
/**
 * Maximum number of interim responses to forward per request, so that they cannot pile up for a consumer that does not
 * read them.
 */
const MAX_INTERIM_RESPONSES = 16;

const finishedRelays = new EventLoopBatch<Relay>((relays) => {
  for (const relay of relays) relay.finish();
});

/** Streams a target's response to the consumer, as fast as the consumer reads it. Each attempt has its own relay. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #res: ServerResponse;
  readonly #onDone: (failure: RelayFailure | null) => void;
  readonly #onFailed: (error: Error, progress: AttemptProgress) => void;
  readonly #refuseStream: () => Error | null;
  #controller: Dispatcher.DispatchController | null = null;
  #awaitingDrain = false;
  #interimCount = 0;
  #isOver = false;
  #isSent = false;
  #responseStarted = false;
  #isReused = false;
  /** The announced length of the body in bytes; NaN if there is none. */
  #contentLength = NaN;
  /** The body, if it is short and arrived in one chunk. */
  #shortBody: Buffer | null = null;
  /** Whether a part of the body has been forwarded. */
  #isStreamed = false;
  /** Status of the target's response; 0 until it has arrived. */
  status = 0;
  /** Set by the connection that carries the request. */
  connection: { markUsed(): boolean } | null = null;

  /**
   * @param onDone called when the response is sent, or cut off after its head (with the reason)
   * @param onFailed called if no part of a response was sent
   * @param refuseStream called if the response is an event stream; returns an error if it may not be passed on
   */
  constructor(
    res: ServerResponse,
    onDone: (failure: RelayFailure | null) => void,
    onFailed: (error: Error, progress: AttemptProgress) => void,
    refuseStream: () => Error | null,
  ) {
    this.#res = res;
    this.#onDone = onDone;
    this.#onFailed = onFailed;
    this.#refuseStream = refuseStream;
    res.once('close', this.#onClose);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#isSent = true;
    this.#isReused = this.connection?.markUsed() ?? false;
    this.#controller = controller;
    if (this.#res.destroyed) controller.abort(new Error('the consumer left'));
  }

  onResponseStarted(): void {
    this.#responseStarted = true;
  }

  /**
   * Forwards an interim response, as a proxy must (RFC 9110, 15.2), with only its `Link` headers. Does not forward `100
   * Continue`, because the gateway itself sends it to consumers that expect it.
   */
  onInterim(status: number, links: readonly string[]): void {
    const res = this.#res;
    if (status === 100 || res.req.httpVersionMinor === 0 || res.headersSent || res.destroyed) return;
    if (this.#interimCount++ >= MAX_INTERIM_RESPONSES) return;
    // `writeEarlyHints` is not used, because it accepts only some forms of `Link`. Older versions of Node have no
    // `writeInformation`, so hints are lost there.
    res.writeInformation?.(
      status,
      links.flatMap((link) => ['Link', link]),
    );
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    this.status = status;
    if (this.#res.headersSent) {
      // The gateway has already responded.
      controller.abort(new Error('no longer needed'));
      return;
    }
    const types = headers['content-type'] as string | readonly string[] | undefined;
    // If the header is repeated, the first value counts, because consumers read that value too.
    const type = typeof types === 'object' ? types[0] : types;
    if (type !== undefined && isEventStreamType(type) && mayHaveBody(this.#res, status)) {
      const refusal = this.#refuseStream();
      if (refusal !== null) return controller.abort(refusal);
    }
    this.#contentLength = Number(headers['content-length'] ?? NaN);
    writeResponseHead(this.#res, status, encodeReason(message), headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#contentLength && chunk.length <= MAX_SHORT_BODY_BYTES) {
      this.#shortBody = chunk;
      return;
    }
    this.#isStreamed = true;
    if (this.#res.write(chunk) || this.#awaitingDrain) return;
    this.#awaitingDrain = true;
    controller.pause();
    this.#res.once('drain', () => {
      this.#awaitingDrain = false;
      controller.resume();
    });
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#isOver = true;
    for (const _ in trailers) {
      this.#res.addTrailers(toResponseTrailers(trailers));
      break;
    }
    if (!this.#isStreamed) {
      finishedRelays.add(this);
      return;
    }
    this.#res.end();
    this.#onDone(null);
  }

  /** Sends the body of a response that was not streamed. Its head has already been written. */
  finish(): void {
    // Node sends head and body in one write if both are text. Latin-1 leaves the bytes unchanged.
    if (!this.#res.destroyed) this.#res.end(this.#shortBody?.toString('latin1'), 'latin1');
    this.#onDone(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#isOver = true;
    this.#res.off('close', this.#onClose);
    const progress = { isSent: this.#isSent, isReused: this.#isReused, responseStarted: this.#responseStarted };
    if (!this.#res.headersSent && !this.#res.destroyed) return this.#onFailed(error, progress);
    const isWanted = !this.#res.destroyed && !this.#res.writableEnded;
    // Only closing the connection tells the consumer that this response is incomplete.
    if (isWanted) this.#res.destroy();
    this.#onDone(isWanted ? 'incomplete_answer' : 'cancelled');
  }

  readonly #onClose = (): void => {
    if (!this.#isOver) this.#controller?.abort(new Error('the consumer left'));
  };
}

/** Matches a reason phrase that Node accepts. */
const SENDABLE_REASON = /^[\t\x20-\x7e\x80-\xff]*$/;
const ASCII = /^[\t\x20-\x7e]*$/;
/**
 * Matches the transfer codings that only frame the body. `identity` is obsolete, and means that the body ends with the
 * connection.
 */
const FRAMING_CODING = /^(?:chunked|identity)$/i;

/**
 * Writes the head of a target's response.
 *
 * @param reason one character per byte; undefined: the default phrase for the status
 * @param headers names in lower case, repeated ones as lists
 * @throws Error if the response cannot be passed on
 */
export function writeResponseHead(
  res: ServerResponse,
  status: number,
  reason: string | undefined,
  headers: IncomingHttpHeaders,
): void {
  // The parsers accept some responses with such a status: interim responses that are too long, 099, and 101 without an
  // upgrade.
  if (status < 200) throw new Error(`${status} is not the status of an answer`);
  const encoding = headers['transfer-encoding'];
  // The gateway does not forward this header, so the consumer would get encoded bytes without knowing it.
  if (encoding !== undefined && !FRAMING_CODING.test(encoding)) throw new Error(`the transfer coding ${encoding}`);
  const pairs = toResponseHeaders(headers, status, mayHaveTrailers(res, status, headers));
  if (reason === undefined || !SENDABLE_REASON.test(reason)) res.writeHead(status, pairs);
  else res.writeHead(status, reason, pairs);
}

/** Node refuses to announce trailers for a body that is not chunked. */
function mayHaveTrailers(res: ServerResponse, status: number, headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] === undefined && mayHaveBody(res, status) && res.req.httpVersionMinor > 0;
}

function mayHaveBody({ req }: ServerResponse, status: number): boolean {
  return req.method !== 'HEAD' && status !== 204 && status !== 304;
}

/**
 * Restores the bytes of a reason phrase that was decoded as UTF-8.
 *
 * @returns one character per byte; undefined if the bytes were not UTF-8, and are lost
 */
function encodeReason(decoded: string | undefined): string | undefined {
  if (decoded === undefined || ASCII.test(decoded)) return decoded;
  return decoded.includes('\ufffd') ? undefined : Buffer.from(decoded).toString('latin1');
}

/** Headers that apply only to the connection to the target. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set(HOP_BY_HOP);

/**
 * @param headers names in lower case, repeated ones as lists
 * @param trailers whether trailers may follow the body
 * @returns the headers to forward, as a flat list of names and values
 */
function toResponseHeaders(headers: IncomingHttpHeaders, status: number, trailers: boolean): string[] {
  const connectionHeaderNames = parseConnectionHeader(headers['connection']);
  const rawHeaders: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (
      value === undefined ||
      DROPPED_HEADERS.has(name) ||
      (connectionHeaderNames?.has(name) === true && name !== 'content-length')
    )
      continue;
    if (name === 'trailer' && !trailers) continue;
    // A 204 has no body. A client that trusted this header would wait for a body, or read the next response as the body
    // (RFC 9110, 8.6).
    if (name === 'content-length' && status === 204) continue;
    if (typeof value === 'string') rawHeaders.push(name, value);
    else for (const each of value) rawHeaders.push(name, each);
  }
  return rawHeaders;
}

/**
 * Headers that are not allowed in trailers: framing, routing, authentication, control data, and headers that say how to
 * read the body. A recipient that merged them into the head would see a different message (RFC 9110, 6.5.1).
 */
const NOT_IN_TRAILERS: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'age',
  'authorization',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'expires',
  'host',
  'location',
  'retry-after',
  'set-cookie',
  'trailer',
  'vary',
  'www-authenticate',
]);

/** @returns the trailers to forward, as pairs of name and value */
function toResponseTrailers(trailers: IncomingHttpHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [name, value = []] of Object.entries(trailers)) {
    if (NOT_IN_TRAILERS.has(name)) continue;
    for (const each of [value].flat()) pairs.push([name, each]);
  }
  return pairs;
}
