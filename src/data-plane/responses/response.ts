import type { ServerResponse } from 'node:http';
import { filterTrailers, type HeaderRules, filterInterimHeaders, mergeHeaders, NO_RULES } from './merge-headers.ts';
import { isBodyPending } from '../../http/framing.ts';
import { http } from '../../http/http-server.ts';

type Chunk = string | Uint8Array;

/** The parts of the exchange that a response needs when its head is written. */
interface GatewayHead {
  /** The gateway's headers, as a flat list of names and values. */
  readonly headers: readonly string[];
  /** Names, in lower case, of the lifecycle headers that the upstream may not send. */
  readonly ownLifecycleNames: ReadonlySet<string>;
  /** When the head was written, in ms by `performance.now()`. */
  respondedAt: number;
}

/**
 * A response of the public server. An upstream must not be able to overwrite the gateway's headers, not even with
 * trailers. They are therefore added at the moment when the head is written, whichever method the upstream uses
 * (`writeHead`, `setHeader`, the first `write`). The body must have the length that the head announces: if it were
 * longer, the client would read the rest as the next response on the connection; if it were shorter, the client would
 * wait for the rest.
 */
export class GatewayResponse extends http.ServerResponse {
  /** The exchange of the request while an upstream writes the response; otherwise null. */
  #exchange: GatewayHead | null = null;
  #rules = NO_RULES;
  /** Announced length of the body in bytes (null if unknown), and number of bytes written so far. */
  #promisedBytes: number | null = null;
  #writtenBytes = 0;
  #onEventStream: ((exchange: GatewayHead) => void) | null = null;

  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args);
    this.#pinMethods();
  }

  /**
   * Hands the response to an upstream. From now on, the upstream writes it.
   *
   * @param onEventStream called when the head is written, if the response is an event stream
   */
  protectHeaders<ResponseExchange extends GatewayHead>(
    exchange: ResponseExchange,
    rules: HeaderRules,
    onEventStream: (exchange: ResponseExchange) => void,
  ): void {
    this.#exchange = exchange;
    this.#rules = rules;
    // The listener is only called with this exchange, so the cast is safe.
    this.#onEventStream = onEventStream as (exchange: GatewayHead) => void;
  }

  /**
   * Takes the response back from the upstream, so that the gateway can send its own. Headers that the upstream has set
   * are discarded. This method is static because an Express app in this process gives the response a different
   * prototype.
   */
  static takeBack(res: GatewayResponse): void {
    res.#forgetHead();
    res.#pinMethods();
    res.#exchange = null;
  }

  /**
   * Discards the head. If Node has thrown an error while writing a head, it has already changed fields of the response.
   * They must be reset, or Node would also reject the next head, or send it without a body.
   */
  #forgetHead(): void {
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.statusMessage = '';
    this.chunkedEncoding = false;
    Object.assign(this, { _hasBody: this.req.method !== 'HEAD' });
    this.#promisedBytes = null;
  }

  /** Overrides the methods with own properties, because own properties survive a change of the prototype: see `takeBack`. */
  #pinMethods(): void {
    // oxlint-disable typescript/unbound-method -- they are called as methods of the response
    this.writeHead = this.#writeHead;
    this.write = this.#write;
    this.end = this.#end as never;
    this.addTrailers = this.#addTrailers;
    this.writeEarlyHints = this.#writeEarlyHints;
    // Older versions of Node do not have this method.
    if (super.writeInformation !== undefined) this.writeInformation = this.#writeInformation;
    // oxlint-enable typescript/unbound-method
  }

  #writeHead(status: number, ...rest: unknown[]): this {
    if (isBodyPending(this.req)) this.shouldKeepAlive = false;
    const exchange = this.#exchange;
    if (exchange === null) return super.writeHead(status, ...(rest as []));
    // Node would send this head as an interim response. The client would then read the next response on the connection
    // as the response to this request.
    if (status < 200) throw new RangeError(`An answer cannot have the status ${status}`);
    exchange.respondedAt = performance.now();
    const statusMessage = typeof rest[0] === 'string' ? rest[0] : undefined;
    const upstreamHeaders = statusMessage === undefined ? (rest[0] ?? rest[1]) : rest[1];
    const merged = mergeHeaders(this, exchange.headers, upstreamHeaders, this.#rules, exchange.ownLifecycleNames);
    // Node also accepts numbers and lists, although its types do not say so.
    const headers = merged as string[];
    try {
      const length = readContentLength(headers);
      if (this.#mayHaveBody(status)) this.#promisedBytes = length;
      if (statusMessage === undefined) super.writeHead(status, headers);
      else super.writeHead(status, statusMessage, headers);
    } catch (error) {
      // The service may catch this error and write a different head.
      if (!this.headersSent) this.#forgetHead();
      throw error;
    }
    if (isEventStream(headers)) this.#onEventStream?.(exchange);
    return this;
  }

  #write(chunk: Chunk, ...rest: unknown[]): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    if (this.#promisedBytes !== null) {
      this.#writtenBytes += countBytes(chunk, rest[0]);
      if (this.#writtenBytes > this.#promisedBytes)
        return this.#reportLengthMismatch(this.#promisedBytes, this.#writtenBytes);
    }
    return super.write(chunk, ...(rest as []));
  }

  #end(...args: unknown[]): this {
    if (this.writableEnded) return super.end(...(args as []));
    const [chunk, encoding] = args;
    const isChunk = chunk !== undefined && chunk !== null && typeof chunk !== 'function';
    const written = this.#writtenBytes + (isChunk ? countBytes(chunk as Chunk, encoding) : 0);
    const promised = this.headersSent ? this.#promisedBytes : this.#readSetContentLength();
    if (promised !== null && written !== promised) this.#reportLengthMismatch(promised, written);
    else super.end(...(args as []));
    return this;
  }

  #addTrailers(trailers: Parameters<ServerResponse['addTrailers']>[0]): void {
    const exchange = this.#exchange;
    super.addTrailers(
      exchange === null ? trailers : filterTrailers(trailers, this.#rules.reserved, exchange.ownLifecycleNames),
    );
  }

  /**
   * Older versions of Node do not call `writeInformation` from here, so this method must itself remove all headers
   * except `link`.
   */
  #writeEarlyHints(...[hints, done]: Parameters<ServerResponse['writeEarlyHints']>): void {
    super.writeEarlyHints(this.#exchange === null ? hints : { link: hints['link'] ?? [] }, done);
  }

  #writeInformation(status: number, headers?: unknown, done?: () => void): void {
    super.writeInformation(
      status,
      this.#exchange === null ? (headers as string[]) : filterInterimHeaders(headers),
      done,
    );
  }

  /**
   * The length that `setHeader` announced while the head is not yet written. If the body turns out to have a different
   * length, the gateway can still respond with a 500.
   */
  #readSetContentLength(): number | null {
    const length = this.getHeader('content-length');
    return length === undefined || !this.#mayHaveBody(this.statusCode) ? null : Number(length);
  }

  #mayHaveBody(status: number): boolean {
    return status !== 204 && status !== 304 && this.req.method !== 'HEAD';
  }

  #reportLengthMismatch(promised: number, written: number): true {
    const qualifier = written > promised ? 'at least' : 'only';
    this.emit('error', new Error(`Content-Length is ${promised}, but the body has ${qualifier} ${written} bytes`));
    return true;
  }
}

function countBytes(chunk: Chunk, encoding: unknown): number {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding as BufferEncoding) : chunk.byteLength;
}

/**
 * Reads the announced length of a body.
 *
 * @param headers a flat list of names and values
 * @returns bytes; null if none is announced
 * @throws RangeError if the value is not a length, or is given twice
 */
function readContentLength(headers: readonly unknown[]): number | null {
  let length: number | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Comparing lengths first rules out most headers.
    if (name.length !== 14 || name.toLowerCase() !== 'content-length') continue;
    const text = String(headers[index + 1]);
    if (length !== null || !/^\d+$/.test(text)) throw new RangeError(`Content-Length is ${text}, or is given twice`);
    length = Number(text);
  }
  return length;
}

const WRITING_METHODS = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'writeHead',
  'flushHeaders',
  'write',
  'end',
  'addTrailers',
  'writeContinue',
  'writeProcessing',
  'writeEarlyHints',
] as const;

/**
 * Makes all writing methods of a response do nothing, after the gateway has responded instead of the upstream. A service
 * in this process may still call them. They must not throw either, because nothing would catch the error.
 */
export function disableWriting(res: ServerResponse): void {
  const returnResponse = () => res;
  for (const name of WRITING_METHODS)
    Object.defineProperty(res, name, { value: returnResponse, configurable: true, writable: true });
}

const CONTENT_TYPE = 'content-type';

/** @param headers a flat list of names and values */
function isEventStream(headers: readonly unknown[]): boolean {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Comparing lengths first rules out most headers.
    if (name.length !== CONTENT_TYPE.length || name.toLowerCase() !== CONTENT_TYPE) continue;
    return isEventStreamType(String(headers[index + 1]));
  }
  return false;
}

/** @param contentType value of the header */
export function isEventStreamType(contentType: string): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType);
}
