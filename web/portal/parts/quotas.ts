import type { QuotaUsage } from '../api/usage.ts';

type QuotaWindow = QuotaUsage['windows'][number];

/** Finds the window of which the largest share is used. */
export function findFullestWindow({ windows }: Pick<QuotaUsage, 'windows'>): QuotaWindow | undefined {
  return windows.toSorted((a, b) => shareUsed(b) - shareUsed(a))[0];
}

/**
 * Sorts quotas: banned ones first, then by the used share of their fullest window. Equal quotas stay in their order.
 */
export function sortFullestFirst(quotas: readonly QuotaUsage[]): readonly QuotaUsage[] {
  const isBanned = ({ ban }: QuotaUsage) => Number(ban !== null);
  return quotas.toSorted(
    (a, b) => isBanned(b) - isBanned(a) || shareUsed(findFullestWindow(b)) - shareUsed(findFullestWindow(a)),
  );
}

function shareUsed(window: QuotaWindow | undefined): number {
  return window === undefined || window.limit === 0 ? 0 : window.used / window.limit;
}
