import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FilterTimes } from '../ui/controls/filter-time.tsx';
import { type Period, type PeriodInAddress, PERIODS } from './period.ts';
import styles from './period-select.module.css';

type Search = Record<string, unknown>;

/** Controls that select the period of a chart. The selection is stored in the URL. */
export function PeriodSelect({ period }: { readonly period: Period }) {
  const { from, to }: PeriodInAddress = useSearch({ strict: false });
  const navigate = useNavigate();
  const isCustom = from !== undefined || to !== undefined;
  const set = (times: PeriodInAddress) =>
    void navigate({ to: '.', search: (all: Search) => ({ ...all, ...times }), replace: true, resetScroll: false });
  return (
    <div className={styles.select}>
      <nav aria-label="Period" className={styles.periods}>
        {Object.entries(PERIODS).map(([value, { label, words }]) => (
          <Choice key={value} search={{ period: value }} chosen={!isCustom && value === period.name} title={words}>
            {label}
          </Choice>
        ))}
        <Choice search={createTimeParameters(period)} chosen={isCustom} title="Between two times">
          Custom
        </Choice>
      </nav>
      {isCustom && (
        <>
          <FilterTimes from={from} to={to} onChange={set} />
          {period.name !== undefined && (
            <p role="status" className={styles.wrong}>
              “From” must be before “To”. Requests {period.words} are shown instead.
            </p>
          )}
        </>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly search: PeriodInAddress;
  readonly chosen: boolean;
  readonly title: string;
  readonly children: string;
}

function Choice({ search, chosen, title, children }: ChoiceProps) {
  return (
    <Link
      to="."
      search={({ period: _, from: __, to: ___, ...all }: Search) => ({ ...all, ...search })}
      replace
      resetScroll={false}
      className={styles.period}
      title={title}
      data-chosen={chosen}
      aria-current={chosen ? 'true' : undefined}
      activeOptions={{ exact: true, includeSearch: true }}
    >
      {children}
    </Link>
  );
}

const SECONDS_PATTERN = /:\d\d\.\d+Z$/;

/** The start and end of the period, to the minute. */
function createTimeParameters({ from, to, lengthMs }: Period): PeriodInAddress {
  if (from !== undefined && to !== undefined) return { from, to };
  const now = Date.now();
  const [start, end] = [now - lengthMs, now].map((at) => new Date(at).toISOString().replace(SECONDS_PATTERN, ':00Z'));
  return { from: start ?? '', to: end ?? '' };
}
