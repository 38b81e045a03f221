import { formatCount } from '../../shared/format/number.ts';
import type { Schemas } from './transport/client.ts';

export type Limits = NonNullable<Schemas['Limits']>;

/** Limits as typed. An empty month means no monthly limit. */
export interface LimitTexts {
  readonly minute: string;
  readonly day: string;
  readonly month: string;
}

export function createLimitTexts(limits: Limits | null | undefined): LimitTexts {
  const { minute = '', day = '', month = '' } = limits ?? {};
  return { minute: String(minute), day: String(day), month: String(month) };
}

/** Null unless all are positive whole numbers, and none is above the limit of a longer window. */
export function readLimits({ minute, day, month }: LimitTexts): Limits | null {
  const limits = { minute: wholeNumber(minute), day: wholeNumber(day) };
  const isOrdered = limits.minute >= 1 && limits.minute <= limits.day;
  if (month.trim() === '') return isOrdered ? limits : null;
  const perMonth = wholeNumber(month);
  return isOrdered && limits.day <= perMonth ? { ...limits, month: perMonth } : null;
}

/**
 * A limit of concurrent requests, as typed.
 *
 * @returns null if empty; undefined unless it is a positive whole number
 */
export function readConcurrent(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const value = wholeNumber(text);
  return value >= 1 ? value : undefined;
}

/** For example "60 a minute, 1,000 a day". */
export function formatLimits({ minute, day, month }: Limits): string {
  const words = `${formatCount(minute)} a minute, ${formatCount(day)} a day`;
  return month === undefined ? words : `${words}, ${formatCount(month)} a month`;
}

/** Describes a plan with its limits, as a choice: "Pro (300 a minute, 10,000 a day)". */
export function formatPlan({ name, limits }: { readonly name: string; readonly limits: Limits | null }): string {
  return `${name} (${limits === null ? 'custom limits' : formatLimits(limits)})`;
}

function wholeNumber(text: string): number {
  const digits = text.replaceAll(/[\s,_']/g, '');
  const value = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
