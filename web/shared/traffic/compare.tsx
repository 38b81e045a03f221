import { useNavigate, useSearch } from '@tanstack/react-router';
import styles from './traffic.module.css';

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
  return (
    <label className={styles.compare} title="Compare with the previous period">
      <input
        type="checkbox"
        aria-label="Compare with the previous period"
        checked={checked}
        onChange={(event) => change(event.target.checked)}
      />
      Compare
    </label>
  );
}
