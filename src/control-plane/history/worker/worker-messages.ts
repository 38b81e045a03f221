import { ReportTimeout, StartError, StoreUnavailable } from '../../../base/error-types.ts';
import { RegistryError } from '../../../domain/registry-error.ts';
import type { HistoryStore, UsagePoint, UsageReport, UsageSeries } from '../store/history-store.ts';
import type { Retention } from '../store/retention.ts';
import type { DatabaseLocation } from '../../../storage/database.ts';

/** Where the history is stored, and how long its data is kept. */
export interface HistoryWorkerOptions {
  readonly records: DatabaseLocation;
  /** With SQLite, the file of the history. */
  readonly file: string;
  readonly keep: Retention;
  /** How long to wait for another process that has locked the file, in ms. */
  readonly waitMs: number;
}

export type Method = keyof HistoryStore;

/** From the main thread: a call to a method of the store. */
export interface CallMessage {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

export type WorkerMessage =
  /** Another process has locked the file. `message` is for the log. */
  | { readonly kind: 'waiting'; readonly message: string }
  | { readonly kind: 'opened' }
  /** See `packResult`. */
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  /**
   * `id` is the id of the call; null if opening failed. An `Error` would lose its class between threads, so its data is
   * sent instead.
   */
  | { readonly kind: 'error'; readonly id: number | null; readonly error: SentError };

interface SentError {
  readonly kind: 'timeout' | 'unavailable' | 'start' | 'cursor' | 'other';
  readonly message: string;
  readonly stack: string | undefined;
}

/**
 * A report as it is sent between threads. Its points are numbers in one block of memory, because copying thousands of
 * objects takes longer than rebuilding them.
 */
interface PackedReport extends Omit<UsageReport, 'series'> {
  readonly series: readonly PackedSeries[];
}

interface PackedSeries extends Omit<UsageSeries, 'points'> {
  /** The `POINT_FIELDS` of each point; NaN for null. */
  readonly points: Float64Array;
}

const POINT_FIELDS = [
  'at',
  'requests',
  'units',
  'refused',
  'errors',
  'clientErrors',
  'p50Ms',
  'p95Ms',
  'p99Ms',
] as const;

/** Prepares a result to be sent. Reports of usage are packed; other results are sent as they are. */
export function packResult(method: Method, result: unknown): unknown {
  return method === 'usage' ? packReport(result as UsageReport) : result;
}

export function unpackResult(method: Method, result: unknown): unknown {
  return method === 'usage' ? unpackReport(result as PackedReport) : result;
}

export function packReport(report: UsageReport): PackedReport {
  return { ...report, series: report.series.map((series) => ({ ...series, points: packPoints(series.points) })) };
}

export function unpackReport(report: PackedReport): UsageReport {
  return { ...report, series: report.series.map((series) => ({ ...series, points: unpackPoints(series.points) })) };
}

function packPoints(points: readonly UsagePoint[]): Float64Array {
  const packed = new Float64Array(points.length * POINT_FIELDS.length);
  let next = 0;
  for (const point of points) for (const name of POINT_FIELDS) packed[next++] = point[name] ?? Number.NaN;
  return packed;
}

function unpackPoints(packed: Float64Array): UsagePoint[] {
  const points: UsagePoint[] = [];
  for (let start = 0; start < packed.length; start += POINT_FIELDS.length) {
    const [at = 0, ...figures] = packed.subarray(start, start + POINT_FIELDS.length);
    const [requests = 0, units = 0, refused = 0, errors = 0, clientErrors = 0, p50 = 0, p95 = 0, p99 = 0] = figures;
    const percentiles = { p50Ms: nanToNull(p50), p95Ms: nanToNull(p95), p99Ms: nanToNull(p99) };
    points.push({ at, requests, units, refused, errors, clientErrors, ...percentiles });
  }
  return points;
}

function nanToNull(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}

export function packError(error: unknown): SentError {
  const { message, stack } = Error.isError(error) ? error : new Error(String(error));
  return { kind: classifyError(error), message, stack };
}

function classifyError(error: unknown): SentError['kind'] {
  if (error instanceof ReportTimeout) return 'timeout';
  if (error instanceof StoreUnavailable) return 'unavailable';
  if (error instanceof StartError) return 'start';
  return error instanceof RegistryError && error.code === 'invalid_cursor' ? 'cursor' : 'other';
}

export function unpackError({ kind, message, stack }: SentError): Error {
  if (kind === 'timeout') return new ReportTimeout();
  if (kind === 'unavailable') return new StoreUnavailable(message);
  if (kind === 'start') return new StartError(message);
  if (kind === 'cursor') return new RegistryError('invalid_cursor', message);
  const error = new Error(message);
  // This stack shows where the error happened in the worker.
  if (stack !== undefined) error.stack = stack;
  return error;
}
