import type { Operation } from '../../api/operations.ts';

interface Moment {
  readonly what: string;
  readonly atMs: number;
  readonly isNow?: boolean;
}

/** The dates of an operation and the present, in chronological order. Empty if the operation has no dates. */
export function listMoments(
  { deprecatedAt, sunsetAt, brownouts }: Operation['lifecycle'],
  nowMs: number,
): readonly Moment[] {
  const dated: Moment[] = [
    ...(deprecatedAt === null ? [] : [{ what: 'Deprecated', atMs: Date.parse(deprecatedAt) }]),
    ...(brownouts ?? []).flatMap(({ from, to }) => [
      { what: 'Temporarily switched off', atMs: Date.parse(from) },
      { what: 'Back', atMs: Date.parse(to) },
    ]),
    ...(sunsetAt === null ? [] : [{ what: 'Sunset', atMs: Date.parse(sunsetAt) }]),
  ];
  if (dated.length === 0) return [];
  return [...dated, { what: 'Now', atMs: nowMs, isNow: true }].toSorted((a, b) => a.atMs - b.atMs);
}
