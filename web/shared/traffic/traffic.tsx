import type { UseQueryResult } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount, formatMilliseconds, pluralize, formatShare, formatShortCount } from '../format/number.ts';
import TimeChart, { type ChartSeries } from '../ui/data/time-chart.tsx';
import { Freshness } from '../ui/page/freshness.tsx';
import { Section } from '../ui/page/page.tsx';
import { Kept } from '../ui/page/kept.tsx';
import { Empty } from '../ui/page/states.tsx';
import { CompareBox } from './compare.tsx';
import {
  formatChange,
  type Comparison,
  compareHistories,
  NO_CHANGE,
  findPreviousTimes,
  formatShareChange,
} from './comparison.ts';
import { ComparisonNote } from './comparison-note.tsx';
import { formatIntervalLength, type Period } from './period.ts';
import { PeriodSelect } from './period-select.tsx';
import { useSelectTimes } from './select-times.ts';
import styles from './traffic.module.css';
import { createTrafficPoints } from './traffic-points.ts';
import { formatMillisecondsOrDash, TrafficTable } from './traffic-table.tsx';
import { TrafficSkeleton } from './traffic-skeleton.tsx';
import type { HistoryOfPeriod } from './kept-history.ts';
import type { UsageHistory, UsageTotals } from './usage-history.ts';

interface Props {
  readonly history: UseQueryResult<HistoryOfPeriod>;
  /** The counts of the previous period. Undefined without a comparison. */
  readonly previous: UseQueryResult<UsageHistory> | undefined;
  readonly period: Period;
  /** Shown instead of the figures if they could not be loaded. */
  readonly failure: ReactNode;
}

/** Shows the number of requests with their outcomes and durations, as figures, as charts, and as a table. */
export function Traffic({ history, previous, period, failure }: Props) {
  return (
    <Section
      title="Traffic"
      aside={
        <div className={styles.aside}>
          <Freshness query={{ ...history, dataUpdatedAt: history.data?.readAtMs ?? 0 }} />
          <CompareBox />
          <PeriodSelect period={period} />
        </div>
      }
    >
      {history.isPending && <TrafficSkeleton />}
      {history.isError && history.data === undefined && failure}
      {history.data !== undefined && (
        <Kept isOld={history.isPlaceholderData}>
          <Counted history={history.data} previous={previous} />
        </Kept>
      )}
    </Section>
  );
}

interface CountedProps extends Pick<Props, 'previous'> {
  readonly history: HistoryOfPeriod;
}

function Counted({ history, previous }: CountedProps) {
  const { period, readAtMs } = history;
  const totals = history.series[0]?.totals;
  if (totals === undefined || totals.requests === 0) {
    return (
      <Empty icon={Activity} title={`No requests ${period.words}`}>
        Requests appear here about ten seconds after their response. Try a longer period.
      </Empty>
    );
  }
  const times = previous === undefined ? null : findPreviousTimes(history, readAtMs, period);
  const comparison =
    previous?.data === undefined || times === null ? null : compareHistories(history, previous.data, times);
  return (
    <div className={styles.counted}>
      <Figures totals={totals} comparison={comparison} />
      {previous !== undefined && (
        <ComparisonNote history={history} times={times} comparison={comparison} error={previous.error} />
      )}
      <Charts history={history} comparison={comparison} />
    </div>
  );
}

interface FiguresProps {
  readonly totals: UsageTotals;
  readonly comparison: Comparison | null;
}

function Figures({ totals, comparison }: FiguresProps) {
  const { requests, units, refused, errors, clientErrors, p50Ms, p95Ms } = totals;
  const { before, now } = comparison?.totals ?? {};
  const ofShare = (name: 'refused' | 'errors' | 'clientErrors') =>
    before && now && formatShareChange(now[name], now.requests, before[name], before.requests);
  const figures = [
    {
      name: 'Requests',
      value: figure(requests),
      words: `${pluralize(units, 'unit')} charged`,
      change: before && now && formatChange(now.requests, before.requests, figure),
    },
    {
      name: 'Refused',
      value: formatShare(refused, requests),
      words: formatCount(refused),
      tone: styles.refused,
      change: ofShare('refused'),
    },
    {
      name: '4xx from services',
      value: formatShare(clientErrors, requests),
      words: formatCount(clientErrors),
      tone: styles.clientErrors,
      change: ofShare('clientErrors'),
    },
    {
      name: 'Errors',
      value: formatShare(errors, requests),
      words: formatCount(errors),
      tone: styles.errors,
      change: ofShare('errors'),
    },
    {
      name: 'p95 duration',
      value: formatMillisecondsOrDash(p95Ms),
      words: `median ${formatMillisecondsOrDash(p50Ms)}`,
      change:
        before &&
        (p95Ms === null || before.p95Ms === null
          ? 'none before'
          : formatChange(p95Ms, before.p95Ms, formatMilliseconds)),
    },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, words, tone, change }) => (
        <div key={name}>
          <dt className={tone}>{name}</dt>
          <dd className={styles.figure}>{value}</dd>
          <dd className={styles.words}>{words}</dd>
          {change !== undefined && <dd className={change === NO_CHANGE ? styles.words : styles.change}>{change}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Formats a number in full if there is room for it, or in short. */
function figure(requests: number): string {
  return requests < 100_000 ? formatCount(requests) : formatShortCount(requests);
}

interface ChartsProps extends Pick<CountedProps, 'history'> {
  readonly comparison: Comparison | null;
}

function Charts({ history, comparison }: ChartsProps) {
  const { period } = history;
  const points = createTrafficPoints(history, history.readAtMs);
  // The index of the interval under the cursor, which both charts show.
  const [cursor, setCursor] = useState<number | null>(null);
  const select = useSelectTimes();
  const { at, stepMs, lastIsRunning } = points;
  const interval = formatIntervalLength(history.every);
  const shared = {
    at,
    stepMs,
    lastIsRunning,
    // While other data is loading, the index may lie beyond its end.
    cursor: cursor !== null && cursor < at.length ? cursor : null,
    onCursor: setCursor,
    onSelect: select,
  };
  const requests: ChartSeries[] = [
    { label: 'Served', color: '--served-bar', kind: 'bar', values: points.served },
    { label: '4xx from services', color: '--client-error', kind: 'bar', values: points.clientErrors },
    { label: 'Refused', color: '--refused', kind: 'bar', values: points.refused },
    { label: 'Errors', color: '--failed', kind: 'bar', values: points.errors },
    ...(comparison === null
      ? []
      : [{ label: 'Previous total', color: '--previous', kind: 'dashed', values: comparison.requests } as const]),
  ];
  const durations: ChartSeries[] = [
    { label: 'p95', color: '--accent', kind: 'line', values: points.p95Ms },
    { label: 'p50', color: '--text-muted', kind: 'line', values: points.p50Ms },
    ...(comparison === null || comparison.p95Ms.every((value) => value === null)
      ? []
      : [{ label: 'Previous p95', color: '--previous', kind: 'dashed', values: comparison.p95Ms } as const]),
  ];
  return (
    <>
      <div className={styles.charts}>
        <figure>
          <figcaption>Requests per {interval}</figcaption>
          <TimeChart
            {...shared}
            label={`Requests per ${interval} ${period.words}`}
            series={requests}
            areWhole
            format={formatShortCount}
          />
          <ChartKey series={requests} />
        </figure>
        <figure>
          <figcaption>Durations: median (p50) and 95th percentile</figcaption>
          <TimeChart
            {...shared}
            label={`Durations per ${interval} ${period.words}`}
            series={durations}
            format={formatMilliseconds}
          />
          <ChartKey series={durations} />
        </figure>
      </div>
      <TrafficTable points={points} every={history.every} before={comparison?.requests} />
    </>
  );
}

/** The legend of a chart. It names only the series that occur. */
export function ChartKey({ series }: { readonly series: readonly ChartSeries[] }) {
  return (
    <ul className={styles.key} aria-hidden>
      {series
        .filter(({ values }) => values.some(Boolean))
        .map(({ label, color, kind }) => (
          <li key={label}>
            <i data-kind={kind} style={{ color: `var(${color})` }} />
            {label}
          </li>
        ))}
    </ul>
  );
}
