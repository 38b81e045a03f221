import { Link } from '@tanstack/react-router';
import { type Period, PERIODS } from './period.ts';
import styles from './period-select.module.css';

/** Selects the period of a chart, which is in the address. */
export function PeriodSelect({ period }: { readonly period: Period }) {
  return (
    <nav aria-label="Period" className={styles.periods}>
      {Object.entries(PERIODS).map(([value, { label }]) => (
        <Link
          key={value}
          to="."
          search={(all: Record<string, unknown>) => ({ ...all, period: value })}
          replace
          resetScroll={false}
          className={styles.period}
          data-chosen={value === period}
          aria-current={value === period ? 'true' : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
