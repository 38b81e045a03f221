import { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import { allowedTrailers, mergeHeaders } from './own-headers.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * A response of the public server. While an upstream has it, the gateway's headers are put on it at the moment its head
 * is written, by whatever way (`writeHead`, `setHeader`, the first `write`): so that none can be overwritten, early or
 * late, nor by trailers.
 */
export class GatewayResponse extends ServerResponse {
  #exchange: Exchange | null = null;
  #reserved = NONE;

  constructor(...given: ConstructorParameters<typeof ServerResponse>) {
    super(...given);
    this.#pin();
  }

  /**
   * From now on an upstream writes it.
   *
   * @param reserved names of headers that only the gateway sends, in lower case
   */
  protect(exchange: Exchange, reserved: ReadonlySet<string>): void {
    this.#exchange = exchange;
    this.#reserved = reserved;
  }

  /** The gateway writes it after all, whatever an upstream has prepared until then. */
  takeBack(): void {
    this.#forgetHead();
    this.#pin();
    this.#exchange = null;
  }

  /** Also what Node keeps of a head that it refused: the next one would be refused for it, or have no body. */
  #forgetHead(): void {
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.statusMessage = '';
    this.chunkedEncoding = false;
    Object.assign(this, { _hasBody: this.req.method !== 'HEAD' });
  }

  /** Properties of its own: an Express app in this process gives the response another prototype. */
  #pin(): void {
    // oxlint-disable-next-line typescript/unbound-method -- it is called as a method of the response
    this.writeHead = this.#writeHead;
    // oxlint-disable-next-line typescript/unbound-method -- as above
    this.addTrailers = this.#addTrailers;
  }

  #writeHead(status: number, ...rest: unknown[]): this {
    const exchange = this.#exchange;
    if (exchange === null) return super.writeHead(status, ...(rest as []));
    exchange.respondedAt = performance.now();
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    const given = reason === undefined ? (rest[0] ?? rest[1]) : rest[1];
    const merged = mergeHeaders(this, exchange.headers, given, this.#reserved, exchange.ownLifecycle);
    // Node takes numbers and lists too; its types say otherwise.
    const headers = merged as string[];
    try {
      return reason === undefined ? super.writeHead(status, headers) : super.writeHead(status, reason, headers);
    } catch (error) {
      if (!this.headersSent) this.#forgetHead();
      throw error;
    }
  }

  #addTrailers(given: Parameters<ServerResponse['addTrailers']>[0]): void {
    super.addTrailers(
      this.#exchange === null ? given : allowedTrailers(given, this.#reserved, this.#exchange.ownLifecycle),
    );
  }
}
