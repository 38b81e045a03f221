/** Close codes of RFC 6455, 7.4.1. */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;

/** Creates a close frame. A server's frames are not masked (RFC 6455, 5.5.1). */
export function createCloseFrame(code: number): Buffer {
  return Buffer.from([0x88, 2, code >> 8, code & 0xff]);
}

/** Tracks where the frames of a WebSocket stream begin and end (RFC 6455, 5.2). */
export class FrameTracker {
  /** Bytes of the current payload still missing. */
  #payloadBytesLeft = 0;
  /** Bytes of the next frame header received so far. */
  #header: number[] = [];

  /** Whether the stream is between two frames, so that another frame may be inserted. */
  get isBetweenFrames(): boolean {
    return this.#payloadBytesLeft === 0 && this.#header.length === 0;
  }

  /** Processes the next piece of the stream. */
  push(chunk: Uint8Array): void {
    for (let offset = 0; offset < chunk.length;) {
      if (this.#payloadBytesLeft > 0) {
        const takenBytes = Math.min(this.#payloadBytesLeft, chunk.length - offset);
        this.#payloadBytesLeft -= takenBytes;
        offset += takenBytes;
      } else {
        this.#header.push(chunk[offset++] ?? 0);
        this.#parseHeader();
      }
    }
  }

  #parseHeader(): void {
    const [, second = 0] = this.#header;
    if (this.#header.length < 2) return;
    const shortLength = second & 0x7f;
    const extendedLengthSize = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#header.length < 2 + extendedLengthSize + maskBytes) return;
    this.#payloadBytesLeft = extendedLengthSize === 0 ? shortLength : 0;
    for (const byte of this.#header.slice(2, 2 + extendedLengthSize))
      this.#payloadBytesLeft = this.#payloadBytesLeft * 256 + byte;
    this.#header = [];
  }
}
