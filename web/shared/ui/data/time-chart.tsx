import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { axisTime } from '../../format/time.ts';
import { cssColor } from './css-color.ts';
import styles from './time-chart.module.css';

export interface ChartSeries {
  readonly label: string;
  /** A color token, such as `--served`. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  /** Seconds since the epoch. */
  readonly at: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Bars that stand on each other, the first at the bottom; else lines. */
  readonly stacked?: boolean;
  readonly format: (value: number) => string;
  /** The last interval is still running: it is drawn lighter. */
  readonly lastIsRunning: boolean;
  /** What it shows, for those who do not see it; the numbers are in a table beside it. */
  readonly label: string;
  readonly height?: number;
}

/** Points are drawn beside the line up to here, so that one between gaps is seen. */
const MAX_POINTS_SHOWN = 60;

/** A chart over time. It is drawn anew when its data or the colors change. */
export default function TimeChart({ label, height = 220, ...chart }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let plot = draw(element, chart, height);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, chart, height);
    };
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    const themed = new MutationObserver(redraw);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.destroy();
    };
  });
  return <div ref={box} role="img" aria-label={label} className={styles.chart} />;
}

function draw(element: HTMLElement, chart: Omit<Props, 'label' | 'height'>, height: number): UPlot {
  const muted = cssColor('var(--text-muted)');
  const axis = { stroke: muted, font: '11px "Inter Variable", sans-serif', ticks: { show: false } };
  const options: UPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [10, 16, 0, 0],
    scales: {
      // A bar stands for the interval that begins at its place.
      x: { range: (_plot, min, max) => [min, max + intervalOf(chart.at)] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 64, size: 28, values: (_plot, splits) => splits.map(axisTime) },
      {
        ...axis,
        size: 52,
        grid: { stroke: cssColor('var(--line)'), width: 1 },
        values: (_plot, splits) => splits.map((value) => chart.format(value)),
      },
    ],
    series: [{}, ...drawnSeries(chart)],
  };
  return new UPlot(options, dataOf(chart), element);
}

function intervalOf(at: readonly number[]): number {
  return (at[1] ?? 0) - (at[0] ?? 0);
}

function drawnSeries({ series, stacked, lastIsRunning, at }: Omit<Props, 'label' | 'height'>): UPlot.Series[] {
  const drawn = series.map(({ label, color, values }): UPlot.Series => {
    const solid = cssColor(`var(${color})`);
    if (stacked !== true)
      return {
        label,
        stroke: solid,
        width: 2,
        points: { show: values.filter((value) => value !== null).length <= MAX_POINTS_SHOWN, size: 5, fill: solid },
      };
    const lighter = cssColor(`color-mix(in srgb, var(${color}) 45%, var(--page))`);
    const fills = at.map((_, index) => (lastIsRunning && index === at.length - 1 ? lighter : solid));
    return { label, width: 0, points: { show: false }, paths: bars(fills) };
  });
  // The tallest first: each next one is drawn over it.
  return stacked === true ? drawn.toReversed() : drawn;
}

function bars(fills: string[]): UPlot.Series.PathBuilder {
  const build = UPlot.paths.bars?.({
    size: [0.78, 40],
    align: 1,
    disp: { fill: { unit: 3, values: () => fills } },
  });
  if (build === undefined) throw new Error('uPlot was built without bars');
  return build;
}

function dataOf({ at, series, stacked }: Omit<Props, 'label' | 'height'>): UPlot.AlignedData {
  if (stacked !== true) return [[...at], ...series.map(({ values }) => [...values])];
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return [[...at], ...sums.toReversed()];
}
