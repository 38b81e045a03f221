import { queryOptions } from '@tanstack/react-query';
import type { Change } from '../../shared/transport/change.ts';
import { sendRequest, type Schemas } from './transport/client.ts';

export type BulkAction = Schemas['BulkAction'];
export type BulkFilter = Schemas['BulkFilter'];
export type BulkPreview = Schemas['BulkPreview'];
export type BulkProgress = Schemas['BulkProgress'];

export interface BulkRequest {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  /** The length of the bans. Only for the action `ban`. */
  readonly seconds?: number;
  readonly reason?: string;
  /** The message to customers, for bans only. */
  readonly message?: string | undefined;
}

function preview(request: BulkRequest): Change<BulkPreview> {
  return { method: 'POST', path: '/keys/bulk', body: { ...request, preview: true } };
}

/** Creates the change for the next keys of a preview. */
export function createBulkChange(request: BulkRequest, digest: string): Change<BulkProgress> {
  return { method: 'POST', path: '/keys/bulk', body: { ...request, digest } };
}

/** Never refetched while a dialog is open, because the digest identifies the keys that the dialog shows. */
export const bulkPreviewQuery = (action: BulkAction, filter: BulkFilter) =>
  queryOptions({
    queryKey: ['keys', 'bulk', action, filter],
    queryFn: () => sendRequest(preview({ action, filter })),
    staleTime: Infinity,
    gcTime: 0,
  });

/**
 * Makes a bulk change in parts. After an error, another call continues it.
 *
 * @throws ApiError
 */
export async function changeKeys(
  request: BulkRequest,
  digest: string,
  onProgress: (done: number) => void,
): Promise<BulkProgress> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each call changes the next keys
    const progress = await sendRequest(createBulkChange(request, digest));
    onProgress(progress.done);
    if (progress.finished) return progress;
  }
}

/**
 * Undoes a bulk change, for exactly the keys that it changed.
 *
 * @throws ApiError
 */
export async function undoBulkChange(
  bulkId: string,
  action: 'enable' | 'disable' | 'lift',
  reason: string,
): Promise<void> {
  const request = { action, filter: { bulkId }, reason };
  const { digest, total } = await sendRequest(preview(request));
  if (total > 0) await changeKeys(request, digest, () => {});
}
