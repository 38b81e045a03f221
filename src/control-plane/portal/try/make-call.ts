import type { IncomingMessage, Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { http, findConnectionEvent } from '../../../http/http-server.ts';
import { Refused } from '../../api-server/refused.ts';
import type { TryItConnections } from '../../../data-plane/boundary-types.ts';
import { encodeBody, type EncodedBody } from './encode-body.ts';
import { readResponseHeaders } from './try-headers.ts';

export const MAX_RESPONSE_BYTES = 1024 * 1024;
/** How long a call may take. The page waits longer: `TRY_TIMEOUT_MS` in `web/portal/api/tried-call.ts`. */
export const TIMEOUT_MS = 30_000;

interface TriedCall {
  /** SHA-256 of the key to call with, base64url. */
  readonly keyHash: string;
  /** Address of the person who tries the call. */
  readonly address: string;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

interface TriedResponse extends EncodedBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body is incomplete: it was too long, took too long, or was cut off. */
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly requestId: string | null;
}

/**
 * Sends a call to the public listener, over a connection in memory, so that the whole request path runs as for any
 * other call.
 *
 * @throws Refused `shutting_down`, `upstream_timeout` and `upstream_bad_response` if there is no response
 */
export type MakeCall = (call: TriedCall) => Promise<TriedResponse>;

export interface MakeCallDependencies {
  readonly server: Server;
  readonly tryItConnections: TryItConnections;
  /** URL of the API. Its host is sent as the `Host` of the call. */
  readonly apiUrl: () => string;
  readonly timeoutMs?: number;
}

export function createMakeCall({
  server,
  tryItConnections,
  apiUrl,
  timeoutMs = TIMEOUT_MS,
}: MakeCallDependencies): MakeCall {
  return async function makeCall({ keyHash, address, method, path, headers, body }) {
    // A connection in memory does not use the port, so the call would succeed even while the gateway is stopping.
    if (!server.listening) throw new Refused('shutting_down');
    const startedAt = performance.now();
    const { client, socket } = createMemoryConnection(address);
    tryItConnections.trust(socket, keyHash);
    server.emit(findConnectionEvent(server), socket);
    const request = http.request({
      createConnection: () => client,
      method,
      path,
      headers: { ...headers, ...createLengthHeader(body), Host: new URL(apiUrl()).host },
    });
    const timer = setTimeout(() => client.destroy(new TimedOutError()), timeoutMs);
    try {
      const responsePromise = waitForResponse(request);
      request.end(body ?? undefined);
      const response = await responsePromise;
      const { bytes, truncated } = await readBody(response);
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const head = { status: response.statusCode ?? 0, headers: readResponseHeaders(response) };
      return { ...head, ...encodeBody(bytes, truncated), truncated, durationMs, requestId: readRequestId(response) };
    } finally {
      clearTimeout(timer);
      client.destroy();
    }
  };
}

/**
 * The `Content-Length` of a body. Node omits it for GET and DELETE. Without it, the server would read the body as another
 * request, which nobody has checked.
 */
function createLengthHeader(body: Buffer | null): Record<string, number> {
  return body === null ? {} : { 'Content-Length': body.length };
}

class TimedOutError extends Error {}

/**
 * Resolves to the response. The error handler stays in place and ignores later errors, because reading the response also
 * reports them.
 */
function waitForResponse(request: ReturnType<typeof http.request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', (error) => {
      if (error instanceof TimedOutError) {
        reject(new Refused('upstream_timeout', { message: 'The call received no response in time.' }));
      } else {
        reject(new Refused('upstream_bad_response', { message: 'The connection was closed before the response.' }));
      }
    });
  });
}

async function readBody(response: IncomingMessage): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The response was cut off or took too long, so return the part that has arrived.
    return { bytes: Buffer.concat(chunks), truncated: true };
  }
  const bytes = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES);
  return { bytes, truncated: length > MAX_RESPONSE_BYTES };
}

function readRequestId({ headers }: IncomingMessage): string | null {
  return headers['x-request-id']?.toString() ?? null;
}

interface MemoryConnection {
  /** The caller's side of the connection in memory. */
  readonly client: Duplex;
  /** The server's side, passed as the argument of its `connection` event. */
  readonly socket: Duplex;
}

/**
 * A connection within this process. It has no idle timer, because the caller limits how long it lasts.
 *
 * @param remoteAddress the address that the server sees as the client's
 */
function createMemoryConnection(remoteAddress: string): MemoryConnection {
  const [client, serverSide] = duplexPair();
  // Servers use these members of a socket, but a stream does not have them.
  const socket = Object.assign(serverSide, { remoteAddress, bytesRead: 0, setTimeout: () => serverSide });
  // If the client's side is destroyed, the server's side only sees the end of its input, and its pending writes would
  // wait forever. So it is destroyed too.
  client.once('close', () => socket.destroy());
  for (const side of [client, socket]) side.on('error', ignoreError);
  return { client, socket };
}

function ignoreError(): void {
  // Nothing to do: both sides see that the connection is closed.
}
