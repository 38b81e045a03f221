/** A lot of new keys that are written but not there yet: they all come at once, when the last lot is written. */
export interface PendingLot {
  /** As it stands in Redis. */
  readonly token: string;
  readonly batch: string;
  /** The audit entries of the lot, inclusive; they are also the revisions of its keys. */
  readonly first: number;
  readonly last: number;
  /** After that the batch is given up, ms since the Unix epoch by Redis' clock. */
  readonly expiresAt: number;
}

/** @param text tokens, `<batch>:<first>:<last>:<expiresAt>`, with a space between */
export function readPending(text: string | null | undefined): readonly PendingLot[] {
  return (text ?? '').split(' ').flatMap((token) => {
    const [batch = '', first, last, expiresAt] = token.split(':');
    const lot = { token, batch, first: Number(first), last: Number(last), expiresAt: Number(expiresAt) };
    return batch === '' ? [] : [lot];
  });
}

/** Whether what has this revision, or this sequence, is not there yet. */
export function isPending(pending: readonly PendingLot[], revision: number): boolean {
  return pending.some(({ first, last }) => revision >= first && revision <= last);
}
