import { toDateTime } from '../../../base/time.ts';

export function timeJson(time: number | null): string | null {
  return time === null ? null : toDateTime(time);
}
