import { useState } from 'react';
import { formatCount, formatShare, pluralize } from '../format/number.ts';
import { ChartKey } from '../traffic/traffic.tsx';
import { Moment, useNow } from '../ui/data/time.tsx';
import TimeChart, { type ChartSeries } from '../ui/data/time-chart.tsx';
import { Section } from '../ui/page/page.tsx';
import { countAttempts } from './attempt-counts.ts';
import type { Delivery } from './webhook.ts';
import styles from './webhooks.module.css';

/** How many attempts of the loaded deliveries succeeded, and when. The deliveries are in the table below. */
export function SuccessChart({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const [cursor, setCursor] = useState<number | null>(null);
  const counts = countAttempts(deliveries, useNow());
  if (counts === null) return null;
  const { firstMs, at, stepMs } = counts;
  const series: readonly ChartSeries[] = [
    { label: 'Delivered', color: '--served-bar', kind: 'bar', values: counts.delivered },
    { label: 'Failed', color: '--failed', kind: 'bar', values: counts.failed },
  ];
  const delivered = sum(counts.delivered);
  const total = delivered + sum(counts.failed);
  return (
    <Section title="Attempts">
      <figure className={styles.success}>
        <figcaption>
          <strong>{formatShare(delivered, total)}</strong> of {pluralize(total, 'attempt')} succeeded since{' '}
          <Moment at={firstMs} />
        </figcaption>
        <TimeChart
          label="Delivered and failed attempts"
          at={at}
          stepMs={stepMs}
          lastIsRunning
          areWhole
          format={formatCount}
          series={series}
          cursor={cursor}
          onCursor={setCursor}
        />
        <ChartKey series={series} />
      </figure>
    </Section>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
