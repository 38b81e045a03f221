import { isDateTime, toMillis } from '../base/time.ts';
import type { Fault } from './fields.ts';

/** An interval in which a deprecated operation is switched off, so that whoever still calls it notices in time. */
export interface Brownout {
  /** ms since the Unix epoch. */
  readonly from: number;
  /** The first moment at which the operation answers again. */
  readonly to: number;
}

const FIELD = 'x-brownouts';

/** The brownout at a time; null if there is none. */
export function brownoutAt(brownouts: readonly Brownout[], time: number): Brownout | null {
  for (const brownout of brownouts) if (brownout.from <= time && time < brownout.to) return brownout;
  return null;
}

/** Reads the `x-brownouts` of an operation; calls `fault` for what is wrong with them. */
export function readBrownouts(value: unknown, fault: Fault): readonly Brownout[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fault(FIELD, 'must be a list of { from, to }');
    return [];
  }
  const brownouts = value.map((each: unknown, index) => readBrownout(each, index, fault));
  for (const [index, brownout] of brownouts.entries()) {
    const before = brownouts[index - 1];
    if (!brownout || !before || brownout.from > before.to) continue;
    const what =
      brownout.from < before.from
        ? 'begins before the one listed before it: list brownouts in order'
        : 'overlaps or touches the one before it: join the two';
    fault(FIELD, what, [index]);
  }
  return brownouts.filter((brownout) => brownout !== null);
}

function readBrownout(value: unknown, index: number, fault: Fault): Brownout | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fault(FIELD, 'must be { from, to }', [index]);
    return null;
  }
  const { from: fromText, to: toText, ...others } = value as Record<string, unknown>;
  for (const name of Object.keys(others)) fault(FIELD, 'is not known: a brownout has from and to', [index, name]);
  const from = readTime(fromText, [index, 'from'], fault);
  const to = readTime(toText, [index, 'to'], fault);
  if (from === null || to === null) return null;
  if (from < to) return { from, to };
  fault(FIELD, 'must end after it begins: its to is not after its from', [index]);
  return null;
}

function readTime(value: unknown, within: readonly PropertyKey[], fault: Fault): number | null {
  if (typeof value === 'string' && isDateTime(value)) return toMillis(value);
  const found = value === undefined ? 'it is missing' : `it is ${JSON.stringify(value)}`;
  fault(FIELD, `must be a date-time with its offset, such as 2026-12-01T09:00:00Z (RFC 3339); ${found}`, within);
  return null;
}
