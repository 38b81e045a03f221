import { DAY_MS, toMillis } from '../../base/time.ts';
import { findNextStart, findStart } from './store/calendar.ts';
import { PeriodFault } from './store/period.ts';

/** Length of the period if the query has no start. */
const VIOLATIONS_MS = 7 * DAY_MS;

interface Hours {
  readonly from: number;
  readonly to: number;
}

/** The whole hours of a period. @throws PeriodFault */
export function readHours(from: string | undefined, to: string | undefined, now: number): Hours {
  const end = to === undefined ? now : toMillis(to);
  const hours = {
    from: findStart('hour', from === undefined ? end - VIOLATIONS_MS : toMillis(from)),
    to: findNextStart('hour', end),
  };
  if (hours.from >= hours.to) throw new PeriodFault('from', 'must be before `to`');
  return hours;
}

/** Divides the name of a rule, as in `ViolationRow`, into the check and the place. */
export function splitRule(name: string): { readonly rule: string; readonly path: string } {
  const space = name.indexOf(' ');
  return space === -1 ? { rule: name, path: '' } : { rule: name.slice(0, space), path: name.slice(space + 1) };
}
