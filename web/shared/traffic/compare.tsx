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
    <label className={styles.compare}>
      <input type="checkbox" checked={checked} onChange={(event) => change(event.target.checked)} />
      Compare with the previous period
    </label>
  );
}
