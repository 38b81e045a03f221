/**
 * How long a body is said to be.
 *
 * @param headers flat pairs
 * @returns bytes; null where nothing is said; NaN, which is no length at all, where something else or two things are
 */
export function contentLengthOf(headers: readonly unknown[]): number | null {
  let length: number | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Most headers are told apart by their length alone.
    if (name.length !== 14 || name.toLowerCase() !== 'content-length') continue;
    length = length === null ? Number(headers[index + 1]) : NaN;
  }
  return length;
}
