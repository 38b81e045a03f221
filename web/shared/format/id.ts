/** Shortens an id so that it fits into a row. The end is kept, because it distinguishes the id from its neighbors. */
export function shortenId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`;
}
