import type { Durations } from '../duration-buckets.ts';

/** A column of numbers as a parameter of type BIGINT[]. */
export function numbersOf<Row>(rows: readonly Row[], value: (row: Row) => number): string {
  return `{${rows.map(value).join(',')}}`;
}

/** Durations as a parameter of type TEXT[], whose elements are BIGINT[]: arrays of arrays must all have one length. */
export function durationsOf(rows: readonly { readonly durations: Durations }[]): string {
  return `{${rows.map(({ durations }) => `"{${durations.join(',')}}"`).join(',')}}`;
}
