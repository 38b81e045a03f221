/**
 * The announced length of a body.
 *
 * @param headers flat pairs
 * @returns bytes; null if none is announced
 * @throws RangeError if the value is not a length, or is given twice
 */
export function contentLengthOf(headers: readonly unknown[]): number | null {
  let length: number | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Comparing lengths first rules out most headers.
    if (name.length !== 14 || name.toLowerCase() !== 'content-length') continue;
    const text = String(headers[index + 1]);
    if (length !== null || !/^\d+$/.test(text)) throw new RangeError(`Content-Length is ${text}, or is given twice`);
    length = Number(text);
  }
  return length;
}
