import type {
  Group,
  GroupList,
  GroupsQuery,
  OwnerRequestsQuery,
  UsageQuery,
  UsageReport,
  UsageSeries,
} from '../store/history-store.ts';
import { type Retention, findOldestKept } from '../store/retention.ts';
import { findNextStart, findStart } from '../store/calendar.ts';
import { loadNames, loadNumbers, type Reader, Values, type Counts, SumOfCounts } from './reader.ts';
import { readCountedSince } from './counted-since.ts';
import { countRequestsByGroup, listGroups, rankGroups, type Selection, createSource } from './selection.ts';

/** Reads a report. The period is widened to whole intervals, and cut to the part that is still stored. */
export async function readUsage(reader: Reader, query: UsageQuery, keep: Retention): Promise<UsageReport> {
  const { every, by, limit } = query;
  const { from, to } = resolvePeriod(query, keep);
  const reportHead = { from, to, every, countedSince: await readCountedSince(reader) };
  const selection = await createSelection(reader, query, from, to);
  if (by === undefined) {
    const sums = selection === null ? undefined : await readSums(reader, selection, query);
    const total = sums?.get(null) ?? new SeriesSums(query);
    return { ...reportHead, series: [total.toSeries(null)], others: null };
  }
  if (selection === null) return { ...reportHead, series: [], others: null };
  // Read one group more than the limit, to find out whether there are other groups.
  const ranked = query.groups ?? (await rankGroups(reader, selection, limit + 1));
  const groups = query.groups ?? ranked.slice(0, limit);
  const sums = groups.length === 0 ? new Map<Group, SeriesSums>() : await readSums(reader, selection, query, groups);
  const names = await loadNames(reader, groups);
  const series = groups.map((group) => sums.get(group)?.toSeries(names(group))).filter((one) => one !== undefined);
  const others = ranked.length > groups.length ? await readOthers(reader, selection, sums) : null;
  return { ...reportHead, series, others };
}

export async function readGroups(reader: Reader, query: GroupsQuery, keep: Retention): Promise<GroupList> {
  const { from, to } = resolvePeriod(query, keep);
  const selection = await createSelection(reader, query, from, to);
  if (selection === null) return { groups: [], isLast: true };
  if (query.order === 'group') return listGroups(reader, selection, query.limit, query.after);
  return { groups: await rankGroups(reader, selection, query.limit), isLast: true };
}

export async function readOwnerRequests(
  reader: Reader,
  query: OwnerRequestsQuery,
  keep: Retention,
): Promise<ReadonlyMap<string, number>> {
  const ownerQuery = { ...query, by: 'owner', limit: 0 } as const;
  const { from, to } = resolvePeriod(ownerQuery, keep);
  const selection = await createSelection(reader, ownerQuery, from, to);
  return selection === null ? new Map() : countRequestsByGroup(reader, selection);
}

function resolvePeriod({ every, now, ...asked }: Omit<UsageQuery, 'groups'>, keep: Retention) {
  // There are no counts in the future, so an end in the distant future must not cause work.
  const to = findNextStart(every, Math.min(asked.to, now));
  return { from: Math.min(to, Math.max(findStart(every, asked.from), findOldestKept(keep, every, now))), to };
}

/** @returns null if a name in the query has never been counted */
async function createSelection(
  reader: Reader,
  query: Omit<UsageQuery, 'groups'>,
  from: number,
  to: number,
): Promise<Selection | null> {
  const { key, chainOf, operation, outcome, owner, plan, every, by } = query;
  const numbers = await loadNumbers(
    reader,
    [key, operation, outcome].filter((name) => name !== undefined),
  );
  const isUnknown = [key, operation, outcome].some((name) => name !== undefined && !numbers.has(name));
  if (isUnknown) return null;
  const findNumber = (name: string | undefined) => (name === undefined ? undefined : numbers.get(name));
  const numberFields = { keyNo: findNumber(key), operationNo: findNumber(operation), outcomeNo: findNumber(outcome) };
  return { from, to, every: every === '6h' ? 'hour' : every, by, ...numberFields, chainOf, owner, plan };
}

type PointsQuery = Pick<UsageQuery, 'every' | 'totalsOnly'>;

/** The sums of a series and of its points. */
class SeriesSums {
  readonly total = new SumOfCounts();
  readonly #query: PointsQuery;
  readonly #points = new Map<number, SumOfCounts>();

  constructor(query: PointsQuery) {
    this.#query = query;
  }

  add(countedAt: number, counts: Counts): void {
    this.total.add(counts);
    const { every, totalsOnly = false } = this.#query;
    if (totalsOnly) return;
    const at = every === '6h' ? findStart(every, countedAt) : countedAt;
    let point = this.#points.get(at);
    if (point === undefined) this.#points.set(at, (point = new SumOfCounts()));
    point.add(counts);
  }

  toSeries(group: string | null): UsageSeries {
    const points = [...this.#points].map(([at, point]) => ({ at, ...point.toFigures() }));
    return { group, totals: this.total.toFigures(), points: points.toSorted((a, b) => a.at - b.at) };
  }
}

async function readSums(reader: Reader, selection: Selection, query: PointsQuery, groups?: readonly Group[]) {
  const sums = new Map<Group, SeriesSums>();
  const values = new Values();
  await reader.forEachCount(createSource(selection, values, groups), values.list, (group, at, counts) => {
    let series = sums.get(group);
    if (series === undefined) sums.set(group, (series = new SeriesSums(query)));
    series.add(at, counts);
  });
  return sums;
}

/** Adds up all requests that are in none of the series. */
async function readOthers(reader: Reader, selection: Selection, series: ReadonlyMap<Group, SeriesSums>) {
  const others = new SumOfCounts();
  const values = new Values();
  await reader.forEachCount(createSource({ ...selection, by: undefined }, values), values.list, (_group, _at, counts) =>
    others.add(counts),
  );
  for (const { total: all } of series.values()) others.subtract(all);
  return others.toFigures();
}
