import { ServerResponse } from 'node:http';
import { isEventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { mergeHeaders } from './own-headers.ts';

/** Told of an answer that is an event stream, once its head is written. */
export type OnEventStream = (exchange: Exchange) => void;

/**
 * A response of the public server. While an upstream has it, the gateway's headers are put on it at the moment its head
 * is written, by whatever way (`writeHead`, `setHeader`, the first `write`): so that none can be overwritten, early or
 * late.
 */
export class GatewayResponse extends ServerResponse {
  #exchange: Exchange | null = null;
  #reserved: ReadonlySet<string> | null = null;
  #onEventStream: OnEventStream | null = null;

  constructor(...given: ConstructorParameters<typeof ServerResponse>) {
    super(...given);
    this.#pin();
  }

  /**
   * From now on an upstream writes it.
   *
   * @param reserved names of headers that only the gateway sends, in lower case
   */
  protect(exchange: Exchange, reserved: ReadonlySet<string>, onEventStream: OnEventStream): void {
    this.#exchange = exchange;
    this.#reserved = reserved;
    this.#onEventStream = onEventStream;
  }

  /** The gateway writes it after all, whatever an upstream has prepared until then. */
  takeBack(): void {
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.#pin();
    this.#exchange = null;
  }

  /** A property of its own: an Express app in this process gives the response another prototype. */
  #pin(): void {
    // oxlint-disable-next-line typescript/unbound-method -- it is called as a method of the response
    this.writeHead = this.#writeHead;
  }

  #writeHead(status: number, ...rest: unknown[]): this {
    const exchange = this.#exchange;
    if (exchange === null) return super.writeHead(status, ...(rest as []));
    this.#exchange = null;
    exchange.respondedAt = performance.now();
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    const given = reason === undefined ? (rest[0] ?? rest[1]) : rest[1];
    const merged = mergeHeaders(this, exchange.headers, given, this.#reserved ?? NONE, exchange.ownLifecycle);
    // Node takes numbers and lists too; its types say otherwise.
    const headers = merged as string[];
    if (reason === undefined) super.writeHead(status, headers);
    else super.writeHead(status, reason, headers);
    if (isEventStream(headers)) this.#onEventStream?.(exchange);
    return this;
  }
}

const NONE: ReadonlySet<string> = new Set();
