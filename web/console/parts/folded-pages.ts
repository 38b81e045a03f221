import { useCallback, useState } from 'react';

interface List {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** What repeats is one row, and may fill any number of pages: so many are read before the reader asks for more. */
const PAGES_AT_ONCE = 5;

/**
 * The pages of a list whose rows fold what repeats.
 *
 * @returns `more` reads the next page as the last row comes into view; `readOn` goes on after some pages, and is undefined
 *   while that is not needed
 */
export function useFoldedPages({ data, hasNextPage, isFetchingNextPage, fetchNextPage }: List) {
  const [asked, setAsked] = useState(1);
  const isPaused = hasNextPage && (data?.pages.length ?? 0) >= asked * PAGES_AT_ONCE;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isPaused) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isPaused, fetchNextPage]);
  return { more, readOn: isPaused ? () => setAsked(asked + 1) : undefined };
}
