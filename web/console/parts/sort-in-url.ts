import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Sorting } from '../../shared/ui/data/data-table.tsx';

/**
 * Keeps the order of a screen's table in the URL.
 *
 * @param usual the default order, which the URL leaves out
 */
export function useSortInUrl(usual: string): Sorting {
  const navigate = useNavigate();
  const given = useSearch({ strict: false }).sort;
  const onSort = useCallback(
    (sort: string) =>
      void navigate({
        to: '.',
        search: (all: object) => ({ ...all, sort: sort === usual ? undefined : sort }),
        replace: true,
      }),
    [navigate, usual],
  );
  return { sort: typeof given === 'string' ? given : usual, onSort };
}
