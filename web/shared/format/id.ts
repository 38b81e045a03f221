/** A shortened id that fits into a row. Its end distinguishes it from its neighbors. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`;
}
