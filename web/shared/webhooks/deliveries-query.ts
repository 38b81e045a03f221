import { infiniteQueryOptions } from '@tanstack/react-query';
import { cursorPaging } from '../transport/fetch.ts';
import { LIVE_REFRESH_MS, refreshWhileOnePage } from '../transport/refresh.ts';
import type { Delivery, DeliveryStatus } from './webhook.ts';

/** Reads a page of the deliveries of a webhook, newest first. */
export type ReadDeliveries = (
  webhookId: string,
  query: { readonly status?: DeliveryStatus; readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<{ readonly items: readonly Delivery[]; readonly nextCursor: string | null }>;

const PAGE_SIZE = 50;

export const deliveriesQuery = (read: ReadDeliveries, id: string, status?: DeliveryStatus) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id, status],
    queryFn: ({ pageParam: cursor, signal }) => read(id, { status, limit: PAGE_SIZE, cursor }, signal),
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(LIVE_REFRESH_MS),
  });
