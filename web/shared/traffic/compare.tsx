import { useNavigate, useSearch } from '@tanstack/react-router';
import { type PreviousTimes, findPreviousTimes } from './comparison.ts';
import type { HistoryOfPeriod } from './kept-history.ts';
import { FilterCheck } from '../ui/controls/field.tsx';

/** True if the URL asks for a comparison with the previous period. */
function useIsCompared(): boolean {
  const { compare }: { compare?: string } = useSearch({ strict: false });
  return compare === 'previous';
}

/**
 * Finds the times of the previous period for a comparison. Null until they are known, undefined unless the user
 * compares.
 */
export function usePreviousTimes(history: HistoryOfPeriod | undefined): PreviousTimes | null | undefined {
  const isCompared = useIsCompared();
  if (!isCompared) return undefined;
  return history === undefined ? null : findPreviousTimes(history, history.readAtMs, history.period);
}

export function CompareBox() {
  const checked = useIsCompared();
  const navigate = useNavigate();
  const change = (wanted: boolean) =>
    void navigate({
      to: '.',
      search: (all: Record<string, unknown>) => ({ ...all, compare: wanted ? 'previous' : undefined }),
      replace: true,
      resetScroll: false,
    });
  return <FilterCheck label="Compare" title="Compare with the previous period" checked={checked} onChange={change} />;
}
