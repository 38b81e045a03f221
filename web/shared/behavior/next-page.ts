import { useCallback, useState } from 'react';

interface List {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * Returns a function that loads the next page of a list. It does nothing while a page is being loaded, on the last
 * page, and once the maximum number of pages is reached.
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
 * The number of pages that are loaded before the user has to ask for more. Repeated rows are shown as one, so without a
 * maximum, filling the screen could load any number of pages.
 */
const PAGES_AT_ONCE = 5;

/**
 * Loads the pages of a list that shows repeated rows as one.
 *
 * @returns `more` loads the next page when the last row comes into view. After a maximum number of pages, loading stops
 * until `readOn` is called. Before that, `readOn` is undefined.
 */
export function useFoldedPages(list: List) {
  const [asked, setAsked] = useState(1);
  const maxPages = asked * PAGES_AT_ONCE;
  const isPaused = list.hasNextPage && (list.data?.pages.length ?? 0) >= maxPages;
  return { more: useNextPage(list, maxPages), readOn: isPaused ? () => setAsked(asked + 1) : undefined };
}
