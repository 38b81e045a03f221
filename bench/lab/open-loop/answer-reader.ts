const HEAD_END = '\r\n\r\n';

/** Reads the responses on a connection that has one request at a time. Supports only Content-Length. */
export class AnswerReader {
  #held = '';

  /**
   * @param bytes the data that has arrived, in its first `length` bytes
   * @returns the status when a response is complete; null until then
   * @throws Error for anything but one response with a Content-Length
   */
  read(bytes: Buffer, length: number): number | null {
    const text = this.#held + bytes.toString('latin1', 0, length);
    const headLength = text.indexOf(HEAD_END) + HEAD_END.length;
    if (headLength < HEAD_END.length) return this.#hold(text);
    const bodyLength = /\r\ncontent-length: *(\d+)\r\n/i.exec(text)?.[1];
    if (bodyLength === undefined) throw new Error(`no Content-Length: ${text.slice(0, 200)}`);
    const expected = headLength + Number(bodyLength);
    if (text.length < expected) return this.#hold(text);
    if (text.length > expected) throw new Error(`more than an answer: ${text.slice(expected, expected + 200)}`);
    this.#held = '';
    return Number(text.slice(9, 12));
  }

  #hold(text: string): null {
    this.#held = text;
    return null;
  }
}
