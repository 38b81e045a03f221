/** An id that fits into a row: enough of its end to distinguish it from its neighbours. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`;
}
