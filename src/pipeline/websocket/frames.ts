/** Close codes of RFC 6455, 7.4.1. */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;

/** A close frame as a server sends it: not masked (RFC 6455, 5.5.1). */
export function closeFrame(code: number): Buffer {
  return Buffer.from([0x88, 2, code >> 8, code & 0xff]);
}

/** Tracks where the frames of a WebSocket stream begin and end (RFC 6455, 5.2). */
export class FrameTracker {
  /** Bytes of the current payload still to come. */
  #rest = 0;
  /** Bytes of the next frame header received so far. */
  #head: number[] = [];

  /** Whether another frame may be inserted here. */
  get betweenFrames(): boolean {
    return this.#rest === 0 && this.#head.length === 0;
  }

  /** Takes the next piece of the stream. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#rest > 0) {
        const taken = Math.min(this.#rest, chunk.length - at);
        this.#rest -= taken;
        at += taken;
      } else {
        this.#head.push(chunk[at++] ?? 0);
        this.#endHead();
      }
    }
  }

  #endHead(): void {
    const [, second = 0] = this.#head;
    if (this.#head.length < 2) return;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const mask = second & 0x80 ? 4 : 0;
    if (this.#head.length < 2 + lengthBytes + mask) return;
    this.#rest = lengthBytes === 0 ? short : 0;
    for (const byte of this.#head.slice(2, 2 + lengthBytes)) this.#rest = this.#rest * 256 + byte;
    this.#head = [];
  }
}
