import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { DAY_MS } from '../../format/durations.ts';
import { formatInterval } from '../../format/time.ts';
import { createTimeTicks, createValueTicks } from './chart-ticks.ts';
import styles from './time-chart.module.css';
import { useNow } from './time.tsx';

export interface ChartSeries {
  readonly label: string;
  /** The name of a color token, such as `--served`. */
  readonly color: string;
  /** Bars are stacked, with the first series at the bottom. */
  readonly kind: 'bar' | 'line' | 'dashed';
  /** Null: the value is unknown. */
  readonly values: readonly (number | null)[];
}

interface Props {
  /** The starts of the intervals, in ms since the Unix epoch. */
  readonly at: readonly number[];
  readonly stepMs: number;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** True if all values are whole numbers, such as counts. */
  readonly areWhole?: boolean;
  /** True if the last interval is incomplete. It is drawn lighter. */
  readonly lastIsRunning: boolean;
  /** Describes the chart to screen readers. The numbers are in a table beside the chart. */
  readonly label: string;
  /** The index of the interval under the cursor, which all charts of the screen share. */
  readonly cursor: number | null;
  readonly onCursor: (index: number | null) => void;
  /**
   * Called with the selected times, in ms since the Unix epoch. `to` is exclusive. If undefined, no period can be
   * selected.
   */
  readonly onSelect?: (from: number, to: number) => void;
}

const HEIGHT = 220;
const MARGIN = { left: 52, right: 20, top: 10, bottom: 24 };
const PLOT_HEIGHT = HEIGHT - MARGIN.top - MARGIN.bottom;
/** A shorter movement of the pointer is a click. */
const MIN_DRAG_PX = 4;
const MAX_BAR_PX = 40;
/** If intervals are narrower than this, the dots are smaller. */
const DENSE_PX = 8;
const READOUT_PX = 190;
const READOUT_GAP_PX = 10;

interface Drag {
  readonly fromX: number;
  readonly toX: number;
}

/**
 * A chart of values over time. The pointer and the arrow keys show the values of an interval. Dragging selects a
 * period.
 */
export default function TimeChart({ label, cursor, onCursor, onSelect, ...chart }: Props) {
  const { at, stepMs } = chart;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [drag, setDrag] = useState<Drag | null>(null);
  const last = at.length - 1;
  const slot = Math.max(0, width - MARGIN.left - MARGIN.right) / at.length;
  const now = useNow();

  const findX = (event: PointerEvent) => event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
  const indexAt = (x: number) => Math.min(last, Math.max(0, Math.floor((x - MARGIN.left) / slot)));
  const read = indexOr(cursor, last);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: (cursor ?? at.length) - 1, ArrowRight: read + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      onCursor(Math.min(last, Math.max(0, next)));
    } else if (event.key === 'Escape') {
      setDrag(null);
      onCursor(null);
    }
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const x = findX(event);
    onCursor(indexAt(x));
    // On a touch screen, a moving finger only shows values, so that it can still scroll the page.
    if (onSelect === undefined || event.button !== 0 || event.pointerType === 'touch') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ fromX: x, toX: x });
  };
  const onPointerMove = (event: PointerEvent) => {
    const x = findX(event);
    onCursor(indexAt(x));
    if (drag !== null) setDrag({ ...drag, toX: x });
  };
  const onPointerUp = () => {
    setDrag(null);
    if (drag === null || Math.abs(drag.toX - drag.fromX) < MIN_DRAG_PX) return;
    const [first, end] = [indexAt(drag.fromX), indexAt(drag.toX)].toSorted((a, b) => a - b);
    onSelect?.(at[first ?? 0] ?? 0, (at[end ?? last] ?? 0) + stepMs);
  };

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={read}
      aria-valuetext={`${formatInterval(at[read] ?? 0, stepMs, now)}: ${readValues(chart, read)
        .map(({ name, value }) => `${name} ${value ?? 'no data'}`)
        .join(', ')}`}
      className={styles.chart}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && cursor === null && onCursor(last)}
      onBlur={() => onCursor(null)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(null)}
      onPointerLeave={(event) => event.pointerType !== 'touch' && onCursor(null)}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden>
          <Drawing {...chart} width={width} slot={slot} cursor={cursor} />
          {drag !== null && (
            <rect
              className={styles.selection}
              x={Math.min(drag.fromX, drag.toX)}
              y={MARGIN.top}
              width={Math.abs(drag.toX - drag.fromX)}
              height={PLOT_HEIGHT}
            />
          )}
        </svg>
      )}
      {cursor !== null && (
        <div
          className={styles.readout}
          style={{ left: placeReadout(MARGIN.left + (cursor + 0.5) * slot, width), width: READOUT_PX }}
          aria-hidden
        >
          <p>{formatInterval(at[cursor] ?? 0, stepMs, now)}</p>
          <dl>
            {readValues(chart, cursor).map(({ name, value, color }) => (
              <div key={name}>
                <dt>
                  {color !== undefined && <i style={{ background: `var(${color})` }} />}
                  {name}
                </dt>
                <dd>{value ?? '–'}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}

/** Places the readout on the side of the cursor that has more room. */
function placeReadout(x: number, width: number): number {
  const left = x > width / 2 ? x - READOUT_PX - READOUT_GAP_PX : x + READOUT_GAP_PX;
  return Math.max(0, Math.min(left, width - READOUT_PX));
}

type Chart = Omit<Props, 'label' | 'cursor' | 'onCursor' | 'onSelect'>;

function indexOr(index: number | null, last: number): number {
  return Math.min(index ?? last, last);
}

interface Reading {
  readonly name: string;
  /** Null: the value is unknown. */
  readonly value: string | null;
  readonly color?: string;
}

/** Lists the values of an interval. If the chart has bars, their sum comes first. */
function readValues({ series, format }: Chart, index: number): Reading[] {
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? null : format(value));
  const bars = series.filter(({ kind }) => kind === 'bar').map(({ values }) => values[index] ?? null);
  const total = bars.reduce<number | null>((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
  return [
    ...(bars.length > 0 ? [{ name: 'Total', value: shown(total) }] : []),
    ...series.map(({ label: name, color, values }) => ({ name, color, value: shown(values[index]) })),
  ];
}

interface DrawingProps extends Chart {
  readonly width: number;
  /** The width of an interval, in px. */
  readonly slot: number;
  readonly cursor: number | null;
}

function Drawing({ at, stepMs, series, format, areWhole = false, lastIsRunning, width, slot, cursor }: DrawingProps) {
  const bars = stackBars(series.filter(({ kind }) => kind === 'bar'));
  // The dashed line of the comparison comes first, so that it is drawn below the others.
  const lines = (['dashed', 'line'] as const).flatMap((wanted) => series.filter(({ kind }) => kind === wanted));
  const max = Math.max(0, ...bars.flatMap(({ tops }) => tops), ...lines.flatMap(({ values }) => values.map((v) => v ?? 0)));
  const ticks = createValueTicks(max, areWhole);
  const scale = PLOT_HEIGHT / (ticks.at(-1) || 1);
  const x = (index: number) => MARGIN.left + index * slot;
  const y = (value: number) => MARGIN.top + PLOT_HEIGHT - value * scale;
  const barWidth = Math.min(MAX_BAR_PX, Math.max(1, slot * 0.78));
  // Labels are at the start of an interval. The date of a day, however, is centered below its bar.
  const tickX = (index: number) => x(stepMs >= DAY_MS ? index + 0.5 : index);
  const running = lastIsRunning ? at.length - 1 : at.length;
  const barPath = ({ bottoms, tops }: StackedBar, from: number, to: number) =>
    tops
      .map((top, index) => {
        const [high, low] = [y(top), y(bottoms[index] ?? 0)];
        if (index < from || index >= to || low - high <= 0) return '';
        // A gap separates stacked bars, so that they can be told apart without their colors.
        const gap = low - high > 3 && (bottoms[index] ?? 0) > 0 ? 1 : 0;
        return `M${round(x(index) + (slot - barWidth) / 2)},${round(low - gap)}V${round(high)}h${round(barWidth)}V${round(low - gap)}z`;
      })
      .join('');
  return (
    <>
      {cursor !== null && (
        <rect className={styles.band} x={x(cursor)} y={MARGIN.top} width={slot} height={PLOT_HEIGHT} />
      )}
      {ticks.map((value) => (
        <g key={value}>
          <line className={styles.grid} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
          <text className={styles.value} x={MARGIN.left - 8} y={y(value)} dy="0.35em">
            {format(value)}
          </text>
        </g>
      ))}
      {createTimeTicks(at, stepMs).map(({ index, label }, place) => (
        <g key={index} data-tick={label}>
          <line className={styles.tick} x1={tickX(index)} x2={tickX(index)} y1={y(0)} y2={y(0) + 4} />
          <text className={styles.time} data-minor={place % 2 === 1} x={tickX(index)} y={HEIGHT - 6}>
            {label}
          </text>
        </g>
      ))}
      {bars.map((bar) => (
        <g key={bar.label} style={{ fill: `var(${bar.color})` }}>
          <path d={barPath(bar, 0, running)} />
          <path d={barPath(bar, running, at.length)} className={styles.running} />
        </g>
      ))}
      {lines.map(({ label, color, kind, values }) => {
        const points = values.map((value, index) =>
          value === null ? null : ([round(x(index + 0.5)), round(y(value))] as const),
        );
        const alone = points.filter((point, index) => !points[index - 1] && !points[index + 1] && point !== null);
        const dots = cursor === null ? alone : [...alone, points[cursor] ?? null];
        return (
          <g key={label} style={{ stroke: `var(${color})`, fill: `var(${color})` }}>
            {kind === 'line' && <path d={createGapPath(points)} className={styles.gap} />}
            {kind === 'dashed' && <path d={createLinePath(points)} className={styles.halo} />}
            {kind === 'dashed' ? (
              <path d={createLinePath(points)} className={styles.dashed} />
            ) : (
              <>
                <path d={createLinePath(points.slice(0, running))} className={styles.line} />
                <path d={createLinePath(points.slice(Math.max(0, running - 1)))} className={`${styles.line} ${styles.running}`} />
              </>
            )}
            {dots.map((dot) => dot && <circle key={dot[0]} cx={dot[0]} cy={dot[1]} r={slot < DENSE_PX ? 2 : 3} stroke="none" />)}
          </g>
        );
      })}
      {cursor !== null && (
        <line className={styles.cursor} x1={x(cursor + 0.5)} x2={x(cursor + 0.5)} y1={MARGIN.top} y2={y(0)} />
      )}
    </>
  );
}

interface StackedBar extends ChartSeries {
  readonly bottoms: readonly number[];
  readonly tops: readonly number[];
}

function stackBars(bars: readonly ChartSeries[]): StackedBar[] {
  let below: readonly number[] = [];
  return bars.map((bar) => {
    const bottoms = bar.values.map((_, index) => below[index] ?? 0);
    const tops = bar.values.map((value, index) => (value ?? 0) + (bottoms[index] ?? 0));
    below = tops;
    return { ...bar, bottoms, tops };
  });
}

/** Creates the path of a line, which is interrupted where values are missing. */
function createLinePath(points: readonly (readonly [number, number] | null)[]): string {
  return points
    .map((point, index) => (point === null ? '' : `${points[index - 1] ? 'L' : 'M'}${point[0]},${point[1]}`))
    .join('');
}

/** Creates the path of the thin lines that connect the points across missing values. */
function createGapPath(points: readonly (readonly [number, number] | null)[]): string {
  const known = points.flatMap((point, index) => (point === null ? [] : [{ point, index }]));
  return known
    .slice(1)
    .map(({ point: [x, y], index }, place) => {
      const before = known[place];
      if (before === undefined || before.index === index - 1) return '';
      return `M${before.point[0]},${before.point[1]}L${x},${y}`;
    })
    .join('');
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const resized = new ResizeObserver(() => setWidth(element.clientWidth));
    resized.observe(element);
    return () => resized.disconnect();
  }, [box]);
  return width;
}
