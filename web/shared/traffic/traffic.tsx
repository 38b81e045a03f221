import type { UseQueryResult } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyPart } from '../behavior/lazy-part.tsx';
import { count, milliseconds, plural, share, shortCount } from '../format/number.ts';
import { Freshness } from '../ui/page/freshness.tsx';
import { Section } from '../ui/page/page.tsx';
import { Empty, Loading } from '../ui/page/states.tsx';
import { type Period, PERIODS } from './period.ts';
import { PeriodSelect } from './period-select.tsx';
import styles from './traffic.module.css';
import { trafficPoints } from './traffic-points.ts';
import { TrafficTable } from './traffic-table.tsx';
import type { UsageHistory, UsageTotals } from './usage-history.ts';

const TimeChart = lazyPart(async () => (await import('../ui/data/time-chart.tsx')).default);

interface Props {
  readonly history: UseQueryResult<UsageHistory>;
  readonly period: Period;
  /** Instead of the figures, if they could not be loaded. */
  readonly failure: ReactNode;
}

/** How much was called, with what outcome and how fast: figures, a chart, and its numbers as a table. */
export function Traffic({ history, period, failure }: Props) {
  return (
    <Section
      title="Traffic"
      aside={
        <div className={styles.aside}>
          <Freshness query={history} />
          <PeriodSelect period={period} />
        </div>
      }
    >
      {history.isPending && <Loading rows={5} label="Loading the traffic" />}
      {history.isError && history.data === undefined && failure}
      {history.data !== undefined && (
        <Counted history={history.data} readAtMs={history.dataUpdatedAt} period={period} />
      )}
    </Section>
  );
}

interface CountedProps {
  readonly history: UsageHistory;
  readonly readAtMs: number;
  readonly period: Period;
}

function Counted({ history, readAtMs, period }: CountedProps) {
  const totals = history.series[0]?.totals;
  if (totals === undefined || totals.requests === 0) {
    return (
      <Empty icon={Activity} title={`No requests in the last ${PERIODS[period].words}`}>
        Requests appear here about ten seconds after their response. Try a longer period.
      </Empty>
    );
  }
  return (
    <div className={styles.counted}>
      <Figures totals={totals} />
      <Charts history={history} readAtMs={readAtMs} words={PERIODS[period].words} />
    </div>
  );
}

function Figures({ totals }: { readonly totals: UsageTotals }) {
  const { requests, units, refused, errors, clientErrors, p50Ms, p95Ms } = totals;
  const figures = [
    { name: 'Requests', value: shortCount(requests), words: `${plural(units, 'unit')} charged`, tone: '' },
    { name: 'Refused', value: share(refused, requests), words: count(refused), tone: styles.refused },
    {
      name: '4xx from services',
      value: share(clientErrors, requests),
      words: count(clientErrors),
      tone: styles.clientErrors,
    },
    { name: 'Errors', value: share(errors, requests), words: count(errors), tone: styles.errors },
    { name: 'p95 duration', value: shown(p95Ms), words: `median ${shown(p50Ms)}`, tone: '' },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, words, tone }) => (
        <div key={name}>
          <dt className={tone}>{name}</dt>
          <dd className={styles.figure}>{value}</dd>
          <dd className={styles.words}>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ChartsProps {
  readonly history: UsageHistory;
  readonly readAtMs: number;
  readonly words: string;
}

function Charts({ history, readAtMs, words }: ChartsProps) {
  const points = trafficPoints(history, readAtMs);
  const { at, lastIsRunning } = points;
  return (
    <>
      <div className={styles.charts}>
        <figure>
          <figcaption>Requests per {history.every}</figcaption>
          <TimeChart
            label={`Requests in the last ${words}; the table below has the numbers`}
            stacked
            at={at}
            lastIsRunning={lastIsRunning}
            format={shortCount}
            series={[
              { label: 'Served', color: '--served', values: points.served },
              { label: '4xx from services', color: '--client-error', values: points.clientErrors },
              { label: 'Refused', color: '--refused', values: points.refused },
              { label: 'Errors', color: '--failed', values: points.errors },
            ]}
          />
          <Key />
        </figure>
        <figure>
          <figcaption>95th percentile of durations</figcaption>
          <TimeChart
            label={`Durations in the last ${words}; the table below has the numbers`}
            at={at}
            lastIsRunning={lastIsRunning}
            format={milliseconds}
            series={[{ label: 'p95', color: '--accent', values: points.p95Ms }]}
          />
        </figure>
      </div>
      <TrafficTable points={points} every={history.every} />
    </>
  );
}

function Key() {
  return (
    <ul className={styles.key} aria-hidden>
      <li className={styles.servedKey}>Served</li>
      <li className={styles.clientErrorsKey}>4xx from services</li>
      <li className={styles.refusedKey}>Refused</li>
      <li className={styles.errorsKey}>Errors</li>
    </ul>
  );
}

function shown(ms: number | null): string {
  return ms === null ? '–' : milliseconds(ms);
}
