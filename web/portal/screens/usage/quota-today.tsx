import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { HOUR_MS } from '../../../shared/format/durations.ts';
import { formatCount, formatShare, formatShortCount } from '../../../shared/format/number.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { useSelectTimes } from '../../../shared/traffic/select-times.ts';
import { ChartTable } from '../../../shared/traffic/chart-table.tsx';
import { ChartKey } from '../../../shared/traffic/traffic.tsx';
import type { UsageHistory } from '../../../shared/traffic/usage-history.ts';
import traffic from '../../../shared/traffic/traffic.module.css';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import TimeChart, { type ChartSeries } from '../../../shared/ui/data/time-chart.tsx';
import { Moment } from '../../../shared/ui/data/time.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type Key, keysQuery } from '../../api/keys.ts';
import { historyQuery, type QuotaUsage, usageQuery } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyList, QuotaTable } from '../../parts/quota-table.tsx';
import { sortFullestFirst } from '../../parts/quotas.ts';
import parts from '../../parts/parts.module.css';
import { type CourseHour, courseByHour, createCourse } from './quota-course.ts';

/** The API returns at most this many keys at a time. Their 24 hourly values each fit into one response. */
const MAX_KEYS = 100;

/**
 * Shows how fast today's quota is used up. If there are several quotas, the fullest is shown until the user selects
 * another one.
 */
export function QuotaToday() {
  const usage = useQuery(usageQuery);
  const keys = useQuery(keysQuery).data?.items;
  const history = useQuery(historyQuery(readPeriod({ period: 'today' }), { by: 'key', limit: MAX_KEYS }));
  const failed = [usage, history].find(({ isError, data }) => isError && data === undefined);
  const { quota: wanted } = useSearch({ from: '/usage' });
  const selected = usage.data?.find(({ quotaId }) => quotaId === wanted) ?? sortFullestFirst(usage.data ?? [])[0];
  const isRead = usage.data !== undefined && keys !== undefined && history.data !== undefined;
  return (
    <Section title="Quota today (UTC)" aside={<Freshness query={history} />}>
      {failed !== undefined && <ReadFailure query={failed} what="today's usage" />}
      {failed === undefined && !isRead && <Loading rows={5} label="Loading today's usage" />}
      {isRead && (
        <>
          {usage.data.length > 1 && <QuotaTable quotas={usage.data} keys={keys} selected={selected} />}
          {selected !== undefined && (
            <OneQuota
              quota={selected}
              isOnly={usage.data.length === 1}
              keys={keys}
              history={history.data}
              readAtMs={history.dataUpdatedAt}
            />
          )}
        </>
      )}
    </Section>
  );
}

interface OneQuotaProps {
  readonly quota: QuotaUsage;
  readonly isOnly: boolean;
  readonly keys: readonly Key[];
  readonly history: UsageHistory;
  readonly readAtMs: number;
}

function OneQuota({ quota, isOnly, keys, history, readAtMs }: OneQuotaProps) {
  const [cursor, setCursor] = useState<number | null>(null);
  const select = useSelectTimes();
  const day = quota.windows.find(({ name }) => name === 'day');
  if (day === undefined) return null;
  const quotaOf = new Map(keys.map((key) => [key.id, key.quotaId]));
  // In the session of a key, the list lacks the keys that it replaced. If there is only one quota, count all keys.
  const isOfQuota = (key: string | null) => isOnly || quotaOf.get(key ?? '') === quota.quotaId;
  const hours = createCourse(history, isOfQuota, readAtMs);
  const { at, used } = courseByHour(hours);
  const series: ChartSeries[] = [
    { label: 'Used since midnight UTC', color: '--accent', kind: 'line', values: used },
    { label: 'Limit', color: '--refused', kind: 'dashed', values: at.map(() => day.limit) },
  ];
  const missing = day.used - (hours.at(-1)?.total ?? 0);
  return (
    <div>
      <div className={traffic.counted}>
        <div className={traffic.chart}>
          <figure>
            <figcaption>
              {!isOnly && (
                <>
                  <KeyList quota={quota} keys={keys} />:{' '}
                </>
              )}
              <strong>{formatCount(day.used)}</strong> of {formatCount(day.limit)} units used,{' '}
              {formatCount(day.remaining)} left. The quota starts again at <Moment at={day.resetsAt} />.
            </figcaption>
            <TimeChart
              label="Units used today, by hour"
              at={at}
              stepMs={HOUR_MS}
              lastIsRunning={false}
              areWhole
              format={formatShortCount}
              series={series}
              cursor={cursor}
              onCursor={setCursor}
              onSelect={select}
            />
            <ChartKey series={series} />
          </figure>
          {missing > 0 && (
            <p className={parts.small}>
              The chart lacks {formatCount(missing)} of these units: it is about a minute behind, and leaves out keys
              that you cannot see here.
            </p>
          )}
        </div>
        <CourseTable hours={hours} limit={day.limit} />
      </div>
    </div>
  );
}

function CourseTable({ hours, limit }: { readonly hours: readonly CourseHour[]; readonly limit: number }) {
  const columns: readonly Column<CourseHour>[] = [
    { id: 'at', header: 'From', cell: ({ atMs }) => <Moment at={atMs} /> },
    { id: 'units', header: 'Units', numeric: true, cell: ({ units }) => formatCount(units) },
    { id: 'total', header: 'Since midnight UTC', numeric: true, cell: ({ total }) => formatCount(total) },
    { id: 'share', header: 'Of the limit', numeric: true, cell: ({ total }) => formatShare(total, limit) },
  ];
  return (
    <ChartTable
      summary="Units per hour"
      caption="Units used today, newest hour first"
      columns={columns}
      rows={() => hours.toReversed()}
    />
  );
}
