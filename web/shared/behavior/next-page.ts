import { useCallback, useState } from 'react';

interface List {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Reads the next page of a list, unless it is being read, there is none, or the limit of pages is reached. */
export function useNextPage(
  { data, hasNextPage, isFetchingNextPage, fetchNextPage }: List,
  maxPages = Infinity,
): () => void {
  const mayRead = hasNextPage && !isFetchingNextPage && (data?.pages.length ?? 0) < maxPages;
  return useCallback(() => {
    if (mayRead) void fetchNextPage();
  }, [mayRead, fetchNextPage]);
}

/**
 * Repeated rows are shown as one, and may fill any number of pages. Above this many pages, the reader has to ask for
 * more.
 */
const PAGES_AT_ONCE = 5;

/**
 * The pages of a list whose rows fold what repeats.
 *
 * @returns `more` reads the next page as the last row comes into view; `readOn` goes on after some pages, and is undefined
 *   while that is not needed
 */
export function useFoldedPages(list: List) {
  const [asked, setAsked] = useState(1);
  const maxPages = asked * PAGES_AT_ONCE;
  const isPaused = list.hasNextPage && (list.data?.pages.length ?? 0) >= maxPages;
  return { more: useNextPage(list, maxPages), readOn: isPaused ? () => setAsked(asked + 1) : undefined };
}
