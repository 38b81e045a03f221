import type { Socket } from 'node:net';

/** Reads the answers on a connection to a target. */
export interface AnswerReader {
  /** Whether the head of an answer is still to come. */
  readonly awaitsHead: boolean;
  /** @param links the values of its `Link` headers */
  onInterim(status: number, links: readonly string[]): void;
  /** Called when the head of the final answer begins. */
  onHead(): void;
}

/** Longer interim answers are left to the parser, which refuses them; so are malformed ones. */
const MAX_BYTES = 16_384;
const HEAD_END = '\r\n\r\n';
/** Bytes needed to recognize an interim answer: version, status, and the character after them. */
const START_BYTES = 13;
const INTERIM_START = 'HTTP/1.1 1';
/** Except 101, which is a final answer. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d[ \r]/;
/** A status line and header fields. Other lines are not skipped: one may be the head of the final answer. */
const WELL_FORMED = /^[^\r\n]*(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n]*)*$/;
const LINK = /^link:[ \t]*([\t\x20-\x7e\x80-\xff]*)\r?$/gim;
const DIGIT_ONE = 0x31;

/**
 * Takes interim answers (RFC 9110, 15.2) out of what a target sends, before undici's parser sees them. The parser
 * treats a `100 Continue` as an error, and restarts its timeout at each of the others, so that a target that keeps
 * sending them would never time out.
 */
export function takeInterimAnswers(socket: Socket, reader: AnswerReader): void {
  const push = socket.push.bind(socket) as (chunk: Buffer | null) => boolean;
  let held: Buffer | null = null;

  function take(bytes: Buffer): boolean {
    while (mayBeInterim(bytes)) {
      const end = bytes.length < START_BYTES ? -1 : bytes.indexOf(HEAD_END);
      if (end === -1) {
        if (bytes.length > MAX_BYTES) break;
        held = bytes;
        return true;
      }
      const head = bytes.toString('latin1', 0, end);
      if (!WELL_FORMED.test(head)) break;
      bytes = bytes.subarray(end + HEAD_END.length);
      reader.onInterim(
        Number(head.slice(9, 12)),
        Array.from(head.matchAll(LINK), ([, value = '']) => value.trim()),
      );
    }
    reader.onHead();
    return push(bytes);
  }

  socket.push = (chunk: Buffer | null): boolean => {
    if (!reader.awaitsHead) return push(chunk);
    const before = held;
    held = null;
    if (chunk !== null) return take(before === null ? chunk : Buffer.concat([before, chunk]));
    if (before !== null) push(before);
    return push(null);
  };
}

function mayBeInterim(bytes: Buffer): boolean {
  // One byte rules out nearly all other answers: the first digit of the status.
  if (bytes.length >= INTERIM_START.length && bytes[INTERIM_START.length - 1] !== DIGIT_ONE) return false;
  const start = bytes.toString('latin1', 0, START_BYTES);
  if (start.length < START_BYTES) return INTERIM_START.startsWith(start.slice(0, INTERIM_START.length));
  return INTERIM.test(start);
}
