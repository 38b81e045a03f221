import { MINUTE_MS } from '../../../base/time.ts';
import { startOf } from '../tables/times.ts';
import type { Values } from './reader.ts';

/**
 * A table `minutes` of the starts of minutes, called `start`. Minutes are stored by time first: few keys are looked up in
 * each, rather than reading the rows of all keys.
 *
 * @param to exclusive
 */
export function minutesBetween(from: number, to: number, values: Values): string {
  const next = `start + ${MINUTE_MS}`;
  return `(
    WITH RECURSIVE starts (start) AS (
      SELECT CAST(${values.add(startOf('minute', from))} AS BIGINT)
      UNION ALL SELECT ${next} FROM starts WHERE ${next} < ${values.add(to)}
    ) SELECT start FROM starts) minutes`;
}
