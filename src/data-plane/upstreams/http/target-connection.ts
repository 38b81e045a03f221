import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { Relay } from './relay.ts';

/**
 * A connection to a target. Tells each relay whether the connection has carried a request before, and passes interim
 * responses to it.
 */
export class TargetConnection extends Client {
  #wasUsed = false;
  #relay: Relay | null = null;
  /** Whether the connection waits for the head of a response. */
  awaitsHead = false;
  /** Whether the connection is open, and not too old for another request. Set by its pool. */
  isFresh = false;

  /** @param connect opens the sockets of this connection */
  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    super(origin, {
      ...options,
      connect: (to, done) =>
        // The certificate must match the target, whatever the `Host` of the request is.
        connect({ ...to, servername: '' }, (...result) => {
          if (result[0] === null) takeInterimResponses(result[1], this);
          done(...result);
        }),
    });
    this.on('connect', () => (this.#wasUsed = false));
  }

  /** Sends a request. The response to the previous request must be complete, because there is no pipelining. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.awaitsHead = true;
    if (handler instanceof Relay) {
      handler.connection = this;
      this.#relay = handler;
    }
    return super.dispatch(options, handler);
  }

  /** Marks the connection as used. @returns whether it had already carried a request */
  markUsed(): boolean {
    const wasUsedBefore = this.#wasUsed;
    this.#wasUsed = true;
    return wasUsedBefore;
  }

  /** @param links the values of its `Link` headers */
  onInterim(status: number, links: readonly string[]): void {
    this.#relay?.onInterim(status, links);
  }

  /** Called when the head of the final response begins. */
  onHead(): void {
    this.awaitsHead = false;
    this.#relay = null;
  }
}

/** Maximum size of an interim response. Longer ones are left to undici's parser, which refuses them. */
const MAX_INTERIM_BYTES = 16_384;
const HEAD_END = '\r\n\r\n';
/** Bytes needed to recognize an interim response: version, status, and the character after them. */
const START_BYTES = 13;
const INTERIM_START = 'HTTP/1.1 1';
/** Matches the start of an interim response. 101 is a final response. */
const INTERIM_RESPONSE = /^HTTP\/1\.1 1(?!01)\d\d[ \r]/;
/**
 * Matches a status line and header fields. A head with any other line is not removed, because that line may begin the
 * final response.
 */
const WELL_FORMED_HEAD = /^[^\r\n]*(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n]*)*$/;
const LINK = /^link:([\t\x20-\x7e\x80-\xff]*)\r?$/gim;
const DIGIT_ONE = 0x31;

/**
 * Removes interim responses (RFC 9110, 15.2) from a target's output before undici parses it. undici treats a `100
 * Continue` as an error, and restarts its timeout at every other interim response, so that a target that keeps sending
 * them would never time out.
 */
function takeInterimResponses(socket: Socket, connection: TargetConnection): void {
  const push = socket.push.bind(socket) as (chunk: Buffer | null) => boolean;
  let heldBytes: Buffer | null = null;

  function passFinalResponse(bytes: Buffer): boolean {
    while (mayBeInterim(bytes)) {
      const end = bytes.length < START_BYTES ? -1 : bytes.indexOf(HEAD_END);
      if (end === -1) {
        if (bytes.length > MAX_INTERIM_BYTES) break;
        heldBytes = bytes;
        return true;
      }
      const head = bytes.toString('latin1', 0, end);
      if (!WELL_FORMED_HEAD.test(head)) break;
      bytes = bytes.subarray(end + HEAD_END.length);
      connection.onInterim(
        Number(head.slice(9, 12)),
        Array.from(head.matchAll(LINK), ([, value = '']) => value.trim()),
      );
    }
    connection.onHead();
    return push(bytes);
  }

  socket.push = (chunk: Buffer | null): boolean => {
    if (!connection.awaitsHead) return push(chunk);
    const before = heldBytes;
    heldBytes = null;
    if (chunk !== null) return passFinalResponse(before === null ? chunk : Buffer.concat([before, chunk]));
    if (before !== null) push(before);
    return push(null);
  };
}

function mayBeInterim(bytes: Buffer): boolean {
  // The first digit of the status rules out nearly all final responses.
  if (bytes.length >= INTERIM_START.length && bytes[INTERIM_START.length - 1] !== DIGIT_ONE) return false;
  const start = bytes.toString('latin1', 0, START_BYTES);
  if (start.length < START_BYTES) return INTERIM_START.startsWith(start.slice(0, INTERIM_START.length));
  return INTERIM_RESPONSE.test(start);
}
