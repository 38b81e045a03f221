/**
 * How long a body is said to be.
 *
 * @param headers flat pairs
 * @returns bytes; null where nothing is said
 * @throws RangeError if that is no length, or if there are two
 */
export function contentLengthOf(headers: readonly unknown[]): number | null {
  let length: number | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Most headers are told apart by their length alone.
    if (name.length !== 14 || name.toLowerCase() !== 'content-length') continue;
    const text = String(headers[index + 1]);
    if (length !== null || !/^\d+$/.test(text)) throw new RangeError(`Content-Length is ${text}, or is given twice`);
    length = Number(text);
  }
  return length;
}
