import { median, type Sample } from './measure.ts';

/** The samples of each contender by round. Null: the round was dropped; undefined: the contender did not take part. */
export type Results = ReadonlyMap<string, readonly (Sample | null | undefined)[]>;

/** A goal: the CPU time per request of one contender over that of another. */
interface Goal {
  readonly title: string;
  readonly of: string;
  readonly to: string;
  readonly atMost: number;
}

/**
 * Goals on nginx with Lua and on the bare undici proxy were removed: both write shorter responses, and the proxy does not
 * call Redis, so those ratios compared different work. The floors do the same work in its simplest form.
 */
export const goals: readonly Goal[] = [
  { title: 'in process / floor', of: 'in-process', to: 'floor-http', atMost: 1.15 },
  { title: 'HTTP upstream / floor', of: 'http-upstream', to: 'floor-proxy', atMost: 1.15 },
  { title: 'in process / bare Express', of: 'in-process', to: 'bare-express', atMost: 1.6 },
  { title: 'in process, embedded / bare Express', of: 'in-process-embedded', to: 'bare-express', atMost: 1.35 },
  { title: 'HTTP upstream / fast-gateway', of: 'http-upstream', to: 'fast-gateway', atMost: 0.75 },
  { title: 'HTTP upstream / fast-gateway 3', of: 'http-upstream', to: 'fast-gateway-3', atMost: 0.75 },
  { title: 'refused key / admitted', of: 'refused', to: 'in-process', atMost: 0.9 },
  { title: 'banned key / admitted', of: 'banned', to: 'in-process', atMost: 0.9 },
  { title: 'list of one pet / one pet, embedded', of: 'list-by-id', to: 'in-process-embedded', atMost: 1.4 },
  { title: 'page of 20 pets / one pet, embedded', of: 'list-page', to: 'in-process-embedded', atMost: 2 },
];

/**
 * Divides the CPU time per request of one contender by that of another. Ratios are taken within a round, so that a
 * slowdown of the whole machine cancels out. Null if one of the contenders was not measured.
 */
export function computeRatios(results: Results, of: string, to: string): { median: number; all: number[] } | null {
  const [ours, theirs] = [results.get(of) ?? [], results.get(to) ?? []];
  const ratios = ours.flatMap((sample, round) => {
    const other = theirs[round] ?? null;
    return sample === null || sample === undefined || other === null ? [] : [sample.cpu / other.cpu];
  });
  return ratios.length === 0 ? null : { median: median(ratios), all: ratios };
}
