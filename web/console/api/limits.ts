import type { Schemas } from './transport/client.ts';

export type Limits = NonNullable<Schemas['Limits']>;

/** The limits as they were typed; null while they are not whole numbers from 1 on, or the minute's is above the day's. */
export function readLimits(minute: string, day: string): Limits | null {
  const limits = { minute: wholeNumber(minute), day: wholeNumber(day) };
  return limits.minute >= 1 && limits.minute <= limits.day ? limits : null;
}

function wholeNumber(text: string): number {
  const digits = text.replaceAll(/[\s,_']/g, '');
  const value = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
