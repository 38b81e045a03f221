import type { Socket } from 'node:net';
import { closeFrame, FrameTracker } from './frames.ts';
import { isOwnCookie } from '../../http/headers.ts';
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
const CLOSE_GRACE_MS = 1000;

/** Matches the start of an interim response. 101 is a final response. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d[ \r]/;

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
  #own: readonly string[] = [];
  #rules = NO_RULES;
  #answered: (status: number) => void = () => undefined;
  readonly #write: Write;
  #text = '';
  #answering = true;
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
   * @param own the gateway's headers for the head of the response, as a flat list of names and values
   * @param answered called with the status when the head is sent
   */
  handOver(own: readonly string[], rules: HeaderRules, answered: (status: number) => void): void {
    const { socket } = this;
    this.#own = own;
    this.#rules = rules;
    this.#answered = answered;
    const end = socket.end.bind(socket);
    // A WebSocket is never half open: a consumer that has ended its side has disconnected.
    socket.once('end', this.#endSoon);
    socket.write = (chunk: Uint8Array | string, ...rest: unknown[]) => this.#pass(chunk, rest);
    socket.end = (chunk?: unknown, ...rest: unknown[]) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.#pass(chunk, rest);
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
    if (this.#frames?.betweenFrames === true) this.#write(closeFrame(code));
    this.#endSoon();
  }

  readonly #endSoon = (): void => {
    const timer = setTimeout(() => this.socket.destroy(), CLOSE_GRACE_MS);
    this.socket.once('close', () => clearTimeout(timer));
  };

  #pass(chunk: Uint8Array | string, rest: unknown[]): boolean {
    if (this.#answering) return this.#passHead(chunk, rest);
    if (this.#frames === null) return this.#write(chunk, ...rest);
    const closeSent = this.#closeCode !== null && this.#frames.betweenFrames;
    const bytes = toBytes(chunk, rest);
    this.#frames.push(bytes);
    // Nothing may follow a close frame.
    if (closeSent) return true;
    const more = this.#write(bytes, ...rest);
    if (this.#closeCode !== null && this.#frames.betweenFrames) this.#write(closeFrame(this.#closeCode));
    return more;
  }

  #passHead(chunk: Uint8Array | string, rest: unknown[]): boolean {
    this.#text += toLatin1(chunk, rest);
    let end = this.#text.indexOf('\r\n\r\n');
    // Interim responses are removed, because clients do not need them for an upgrade.
    while (end !== -1 && INTERIM.test(this.#text)) {
      this.#text = this.#text.slice(end + 4);
      end = this.#text.indexOf('\r\n\r\n');
    }
    if (end === -1) return true;
    const { head, status } = withOwnHeaders(this.#text.slice(0, end), this.#own, this.#rules, this.offer);
    const afterHead = Buffer.from(this.#text.slice(end + 4), 'latin1');
    this.#text = '';
    this.#answering = false;
    if (status === 101) this.#frames = new FrameTracker();
    this.#answered(status);
    const more = this.#write(Buffer.from(`${head}\r\n\r\n`, 'latin1'), ...rest);
    return afterHead.length === 0 ? more : this.#pass(afterHead, []);
  }
}

/**
 * Converts a part of a head to a string with one character per byte. Characters that do not fit into a byte are encoded
 * first: they would be truncated when the head is sent, and so could turn into characters that were not checked.
 */
function toLatin1(chunk: Uint8Array | string, rest: readonly unknown[]): string {
  return typeof chunk === 'string' && IS_LATIN1.test(chunk) ? chunk : toBytes(chunk, rest).toString('latin1');
}

/** @param rest the other arguments of `write`; the encoding comes first */
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
 * @param own the gateway's headers, as a flat list of names and values
 * @param offer `tollgate` is selected if it was offered and the service selects none of its own subprotocols
 */
function withOwnHeaders(
  text: string,
  own: readonly string[],
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
  const kept = lines.filter((line) => {
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
    return key !== 'vary' && !reserved.has(key) && !(key === 'set-cookie' && isOwnCookie(value));
  });
  if (maySelect && !isSelected) kept.push(`Sec-WebSocket-Protocol: ${GATEWAY_SUBPROTOCOL}`);
  const merged = varyOf(vary.join(), hasCacheInstructions ? '' : cacheControl.join());
  const added = merged === '' ? withoutVary(own) : [...withoutVary(own), 'Vary', merged];
  for (let index = 0; index < added.length; index += 2) kept.push(`${added[index]}: ${added[index + 1]}`);
  return { head: [statusLine, ...kept].join('\r\n'), status };
}
