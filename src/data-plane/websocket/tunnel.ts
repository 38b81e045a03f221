import type { Socket } from 'node:net';
import { createCloseFrame, FrameTracker } from './frames.ts';
import { isGatewayCookie } from '../../http/headers.ts';
import { type HeaderRules, NO_RULES, withoutVary } from '../responses/merge-headers.ts';
import { instructsCaches } from '../responses/vary.ts';
import {
  GATEWAY_SUBPROTOCOL,
  isGatewaySubprotocol,
  NO_OFFER,
  type Offer,
  SUBPROTOCOLS_HEADER,
} from './subprotocols.ts';

/** After a close frame was sent, the consumer has this long to close the connection. */
const CLOSE_GRACE_MS = 500;

/** Matches the start of an interim response. 101 is a final response. */
const INTERIM_RESPONSE = /^HTTP\/1\.1 1(?!01)\d\d[ \r]/;

const IS_LATIN1 = /^[\0-\xff]*$/;

type Write = (chunk: Uint8Array | string, ...rest: unknown[]) => boolean;

/**
 * A consumer's connection that is being upgraded. Everything that an upstream writes to the connection passes through
 * this class. It adds the gateway's headers to the head of the response. After that, it tracks where frames end, so that
 * the gateway can send a close frame between two frames.
 */
export class Tunnel {
  readonly socket: Socket;
  /** Bytes received after the request's head. */
  readonly head: Buffer;
  readonly offer: Offer;
  #ownHeaders: readonly string[] = [];
  #rules = NO_RULES;
  #onResponded: (status: number) => void = () => undefined;
  readonly #write: Write;
  #headText = '';
  #isAwaitingHead = true;
  /** Null until the service has accepted the upgrade. Any other response has no frames. */
  #frames: FrameTracker | null = null;
  #closeCode: number | null = null;

  constructor(socket: Socket, head: Buffer, offer = NO_OFFER) {
    this.socket = socket;
    this.head = head;
    this.offer = offer;
    this.#write = socket.write.bind(socket) as Write;
  }

  /**
   * Passes the connection to an upstream.
   *
   * @param ownHeaders the gateway's headers for the head of the response, as a flat list of names and values
   * @param onResponded called with the status when the head is sent
   */
  handOver(ownHeaders: readonly string[], rules: HeaderRules, onResponded: (status: number) => void): void {
    const { socket } = this;
    this.#ownHeaders = ownHeaders;
    this.#rules = rules;
    this.#onResponded = onResponded;
    const end = socket.end.bind(socket);
    // A WebSocket is never half open: a consumer that has ended its side has disconnected.
    socket.once('end', this.#endSoon);
    socket.write = (chunk: Uint8Array | string, ...rest: unknown[]) => this.#passChunk(chunk, rest);
    socket.end = (chunk?: unknown, ...rest: unknown[]) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.#passChunk(chunk, rest);
      return end();
    };
  }

  /** Takes the connection back, so that the gateway itself can respond. */
  takeBack(): void {
    Reflect.deleteProperty(this.socket, 'write');
    Reflect.deleteProperty(this.socket, 'end');
    this.socket.off('end', this.#endSoon);
  }

  /** Sends the consumer a close frame after the current frame, then closes the connection. */
  close(code: number): void {
    if (this.#closeCode !== null) return;
    this.#closeCode = code;
    if (this.#frames?.isBetweenFrames === true) this.#write(createCloseFrame(code));
    this.#endSoon();
  }

  readonly #endSoon = (): void => {
    const timer = setTimeout(() => this.socket.destroy(), CLOSE_GRACE_MS);
    this.socket.once('close', () => clearTimeout(timer));
  };

  #passChunk(chunk: Uint8Array | string, rest: unknown[]): boolean {
    if (this.#isAwaitingHead) return this.#passHead(chunk, rest);
    if (this.#frames === null) return this.#write(chunk, ...rest);
    const closeSent = this.#closeCode !== null && this.#frames.isBetweenFrames;
    const bytes = toBytes(chunk, rest);
    this.#frames.push(bytes);
    // Nothing may follow a close frame.
    if (closeSent) return true;
    const canWriteMore = this.#write(bytes, ...rest);
    if (this.#closeCode !== null && this.#frames.isBetweenFrames) this.#write(createCloseFrame(this.#closeCode));
    return canWriteMore;
  }

  #passHead(chunk: Uint8Array | string, rest: unknown[]): boolean {
    this.#headText += toLatin1(chunk, rest);
    let end = this.#headText.indexOf('\r\n\r\n');
    // Interim responses are removed, because clients do not need them for an upgrade.
    while (end !== -1 && INTERIM_RESPONSE.test(this.#headText)) {
      this.#headText = this.#headText.slice(end + 4);
      end = this.#headText.indexOf('\r\n\r\n');
    }
    if (end === -1) return true;
    const { head, status } = addOwnHeaders(this.#headText.slice(0, end), this.#ownHeaders, this.#rules, this.offer);
    const afterHead = Buffer.from(this.#headText.slice(end + 4), 'latin1');
    this.#headText = '';
    this.#isAwaitingHead = false;
    if (status === 101) this.#frames = new FrameTracker();
    this.#onResponded(status);
    const canWriteMore = this.#write(Buffer.from(`${head}\r\n\r\n`, 'latin1'), ...rest);
    return afterHead.length === 0 ? canWriteMore : this.#passChunk(afterHead, []);
  }
}

/**
 * Converts a part of a head to a string with one character per byte. Characters that do not fit into a byte are encoded
 * first: they would be truncated when the head is sent, and so could turn into characters that were not checked.
 */
function toLatin1(chunk: Uint8Array | string, rest: readonly unknown[]): string {
  return typeof chunk === 'string' && IS_LATIN1.test(chunk) ? chunk : toBytes(chunk, rest).toString('latin1');
}

/** Converts a chunk to bytes. The first of the other arguments of `write` is the encoding. */
function toBytes(chunk: Uint8Array | string, [encoding]: readonly unknown[]): Buffer {
  if (typeof chunk !== 'string') return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

/** Matches everything that browsers read as the end of a line. */
const LINE_END = /[\r\n]+/;
const FOLD = /(?<![\r\n])[\r\n]+[ \t]+/g;

/**
 * Adds the gateway's headers to the head of a response that an upstream wrote directly, and removes those that the
 * upstream may not send. Normalizes the ends of lines, so that no header is hidden from this check but visible to a
 * browser.
 *
 * @param text the head, without the empty line at its end
 * @param ownHeaders the gateway's headers, as a flat list of names and values
 * @param offer `tollgate` is selected if it was offered and the service selects none of its own subprotocols
 */
function addOwnHeaders(
  text: string,
  ownHeaders: readonly string[],
  { reserved, computeVary: varyOf }: HeaderRules,
  offer: Offer,
): { head: string; status: number } {
  const [statusLine = '', ...lines] = text.replaceAll(FOLD, ' ').split(LINE_END);
  const status = Number(statusLine.split(' ')[1]);
  const maySelect = offer.includesTollgate && status === 101;
  let isSelected = false;
  const vary: string[] = [];
  const cacheControl: string[] = [];
  let hasCacheInstructions = false;
  const keptLines = lines.filter((line) => {
    const [name = ''] = line.split(':', 1);
    const key = name.trim().toLowerCase();
    const value = line.slice(name.length + 1);
    if (key === 'vary') vary.push(value);
    if (key === 'cache-control') cacheControl.push(value);
    hasCacheInstructions ||= instructsCaches(key);
    if (key === SUBPROTOCOLS_HEADER && maySelect) {
      if (value.trim() === '' || isGatewaySubprotocol(value.trim())) return false;
      isSelected = true;
    }
    return key !== 'vary' && !reserved.has(key) && !(key === 'set-cookie' && isGatewayCookie(value));
  });
  if (maySelect && !isSelected) keptLines.push(`Sec-WebSocket-Protocol: ${GATEWAY_SUBPROTOCOL}`);
  const mergedVary = varyOf(vary.join(), hasCacheInstructions ? '' : cacheControl.join());
  const addedHeaders = mergedVary === '' ? withoutVary(ownHeaders) : [...withoutVary(ownHeaders), 'Vary', mergedVary];
  for (let index = 0; index < addedHeaders.length; index += 2)
    keptLines.push(`${addedHeaders[index]}: ${addedHeaders[index + 1]}`);
  return { head: [statusLine, ...keptLines].join('\r\n'), status };
}
