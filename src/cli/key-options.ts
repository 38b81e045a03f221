import { InvalidArgumentError } from 'commander';
import { isDateTime } from '../base/time.ts';
import { UsageFailure } from './failure.ts';

/** @throws InvalidArgumentError, which Commander tells with the option's name */
export function toDateTime(text: string): string {
  if (isDateTime(text)) return text;
  throw new InvalidArgumentError('It must be a date-time with its offset, such as 2027-12-31T00:00:00Z.');
}

/** The limits of a key on a custom plan, as the API has them; nothing if none are given. @throws UsageFailure */
export function limitsOf(minute: number | undefined, day: number | undefined) {
  if ((minute === undefined) !== (day === undefined)) throw new UsageFailure('--minute and --day go together');
  return minute === undefined || day === undefined ? {} : { limits: { minute, day } };
}
