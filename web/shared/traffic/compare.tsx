import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterCheck } from '../ui/controls/field.tsx';

/** Whether the period is compared with the one before, which is in the address. */
export function useIsCompared(): boolean {
  const { compare }: { compare?: string } = useSearch({ strict: false });
  return compare === 'previous';
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
