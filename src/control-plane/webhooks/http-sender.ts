import type { Readable } from 'node:stream';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { RegistryError } from '../../domain/registry-error.ts';
import type { Clock } from '../../base/time.ts';
import type { UrlRules } from './address-rules.ts';
import { createSignature } from './signature.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import { ATTEMPT_MS, createFixedHeaders, type Message, type Outcome, type Sender } from './sender.ts';
import { tableOf } from '../../base/table-of.ts';
import { AddressRefused, NameNotFound } from './guarded-connector.ts';

/** Idle connections are closed after this time, because many servers close idle connections after 5 seconds. */
const KEEP_ALIVE_MS = 4000;
const MAX_HEADER_BYTES = 16 * 1024;

export interface HttpSenderOptions {
  readonly connector: buildConnector.connector;
  readonly urls: Pick<UrlRules, 'checkForm'>;
  readonly clock: Clock;
  readonly attemptMs?: number;
}

/** Sends messages over HTTP. Redirects are not followed, because nobody has registered their targets. */
export class HttpSender implements Sender {
  readonly #agent: Agent;
  readonly #urls: HttpSenderOptions['urls'];
  readonly #clock: Clock;
  readonly #attemptMs: number;

  constructor({ connector, urls, clock, attemptMs = ATTEMPT_MS }: HttpSenderOptions) {
    this.#urls = urls;
    this.#clock = clock;
    this.#attemptMs = attemptMs;
    this.#agent = new Agent({
      connect: connector,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  async send(message: Message): Promise<Outcome> {
    const at = this.#clock();
    const startedAt = performance.now();
    const measureTimes = () => ({ at, durationMs: Math.round(performance.now() - startedAt) });
    try {
      const { statusCode, headers, body } = await this.#request(message, at);
      const answer = await readBodyStart(body);
      const isBusy = statusCode === 429 || statusCode === 503;
      const retryMs = isBusy ? parseRetryAfter(headers['retry-after'], at) : null;
      return { ...measureTimes(), status: statusCode, error: null, answer, retryAfterMs: retryMs };
    } catch (error) {
      const noResponse = { status: null, answer: null, retryAfterMs: null };
      return { ...measureTimes(), ...noResponse, error: describeFailure(error, this.#attemptMs) };
    }
  }

  /** Aborts attempts that are still running. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #request({ url: text, secrets, id, body }: Message, at: number): Promise<Dispatcher.ResponseData> {
    const url = this.#urls.checkForm(text);
    const timestamp = Math.floor(at / 1000);
    return this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...createFixedHeaders(id),
        'webhook-timestamp': String(timestamp),
        'webhook-signature': createSignature(secrets, { id, timestamp, body }),
      },
      body,
      signal: AbortSignal.timeout(this.#attemptMs),
    });
  }
}

const MAX_RESPONSE_BYTES = 1024;

/**
 * Reads the first KB of a response. Only the status decides about success, so it does not matter if the body is cut off
 * or never ends. Instead of waiting for the rest, this closes the connection.
 *
 * @returns text that every database accepts
 */
export async function readBodyStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  body.on('error', () => {});
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The body was cut off, by the service or by the time limit of the attempt.
  }
  body.destroy();
  const start = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES);
  // PostgreSQL does not accept U+0000 in text.
  return new TextDecoder().decode(start).replaceAll('\0', '\ufffd');
}

const CLOSED = 'the connection was closed before a response';
const UNREACHABLE = 'the address cannot be reached';
const NO_HTTP = 'the response is not valid HTTP';

const FAILURE_TEXTS = tableOf({
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NO_HTTP,
  UND_ERR_HEADERS_OVERFLOW: NO_HTTP,
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
});

/** Error codes for certificates and TLS. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO)/;

/**
 * Describes why there was no response, for the owner of the webhook. Reveals nothing about the gateway's own network.
 */
export function describeFailure(error: unknown, attemptMs: number): string {
  if (error instanceof AddressRefused || error instanceof RegistryError) return error.message;
  if (error instanceof NameNotFound) return 'the host name cannot be resolved';
  const { name, code = '' } = error as { name?: string; code?: string | number };
  if (name === 'TimeoutError') return `no response within ${attemptMs / 1000} seconds`;
  if (name === 'HTTPParserError') return NO_HTTP;
  const text = FAILURE_TEXTS.get(String(code));
  if (text !== undefined) return text;
  return TLS_CODE.test(String(code)) ? `TLS failed (${code})` : `the attempt failed (${code === '' ? name : code})`;
}
