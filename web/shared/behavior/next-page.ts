import { useCallback, useState } from 'react';

interface List {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * Reads the next page of a list, unless one is being read, there is none, or the maximum number of pages is reached.
 */
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
 * Repeated rows are shown as one, so that one row may cover any number of pages. After this many pages, the user has to
 * ask for more.
 */
const PAGES_AT_ONCE = 5;

/**
 * The pages of a list whose rows fold repetitions.
 *
 * @returns `more` reads the next page when the last row comes into view; `readOn` continues after the maximum number of
 * pages, and is undefined while that is not needed
 */
export function useFoldedPages(list: List) {
  const [asked, setAsked] = useState(1);
  const maxPages = asked * PAGES_AT_ONCE;
  const isPaused = list.hasNextPage && (list.data?.pages.length ?? 0) >= maxPages;
  return { more: useNextPage(list, maxPages), readOn: isPaused ? () => setAsked(asked + 1) : undefined };
}
