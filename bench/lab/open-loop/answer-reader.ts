const HEAD_END = '\r\n\r\n';

/** Reads the responses on a connection that has one request at a time. Supports only Content-Length. */
export class ResponseReader {
  #pendingText = '';

  /**
   * @param bytes the data that has arrived, in its first `length` bytes
   * @returns the status when a response is complete; null until then
   * @throws Error for anything but one response with a Content-Length
   */
  read(bytes: Buffer, length: number): number | null {
    const text = this.#pendingText + bytes.toString('latin1', 0, length);
    const headLength = text.indexOf(HEAD_END) + HEAD_END.length;
    if (headLength < HEAD_END.length) return this.#keep(text);
    const bodyLength = /\r\ncontent-length: *(\d+)\r\n/i.exec(text)?.[1];
    if (bodyLength === undefined) throw new Error(`no Content-Length: ${text.slice(0, 200)}`);
    const expected = headLength + Number(bodyLength);
    if (text.length < expected) return this.#keep(text);
    if (text.length > expected) throw new Error(`more than an answer: ${text.slice(expected, expected + 200)}`);
    this.#pendingText = '';
    return Number(text.slice(9, 12));
  }

  #keep(text: string): null {
    this.#pendingText = text;
    return null;
  }
}
