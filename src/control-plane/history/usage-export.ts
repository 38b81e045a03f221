import { LENGTHS, nextStart, startOf } from './store/calendar.ts';
import { type GroupNames, usageCsv, usageCsvHead } from './report-csv.ts';
import type { Group, GroupList, Grouping, HistoryStore, UsageQuery } from './store/history-store.ts';

/** Number of points read together. */
const MAX_POINTS = 10_000;
const MAX_GROUPS = 500;
/** Number of groups listed together. Listing may take as long as a report, so it happens rarely. */
const LISTED_GROUPS = 10_000;

interface ExportQuery extends Omit<UsageQuery, 'limit' | 'groups'> {
  /** Only the busiest groups; undefined: all of them. */
  readonly limit: number | undefined;
}

type Store = Pick<HistoryStore, 'usage' | 'usageGroups'>;
type Part = Pick<UsageQuery, 'from' | 'to'> & { readonly groups: readonly Group[] };

/**
 * The complete result of a query as CSV, in pieces. Each piece is a separate report, made on demand: neither the
 * database nor memory holds more than that, however slowly the client reads.
 *
 * @param namesOf the names of groups, for a column after them; null: without it
 */
export async function* exportUsage(
  history: Store,
  query: ExportQuery,
  namesOf: ((groups: readonly Group[]) => Promise<GroupNames>) | null = null,
): AsyncGenerator<string> {
  const { by, totalsOnly = false } = query;
  let head = usageCsvHead(namesOf !== null);
  for await (const part of by === undefined ? [WHOLE] : partsOf(history, { ...query, by })) {
    const { series } = await history.usage({ ...query, limit: MAX_GROUPS, ...part });
    const names = namesOf === null ? null : await namesOf(series.map(({ group }) => group));
    const text = head + usageCsv(series, totalsOnly, names);
    head = '';
    // Without text, there is nothing to wait for.
    if (text !== '') yield text;
  }
  if (head !== '') yield head;
}

const WHOLE = {};

/** Some groups and some of the time for each report. */
async function* partsOf(history: Store, query: ExportQuery & { readonly by: Grouping }): AsyncGenerator<Part> {
  const { every, totalsOnly = false } = query;
  // Whole intervals: a cut one would be in two reports.
  const [from, to] = [startOf(every, query.from), nextStart(every, query.to)];
  const intervals = totalsOnly ? 1 : (to - from) / LENGTHS[every];
  // Minutes are stored by time: few groups of many minutes would read the rows of all groups again and again.
  const isByTime = every === 'minute' && !totalsOnly;
  const size = isByTime ? MAX_GROUPS : Math.min(MAX_GROUPS, Math.max(1, Math.floor(MAX_POINTS / intervals)));
  for await (const listed of listsOf(history, query)) {
    for (let first = 0; first < listed.length; first += size) {
      const groups = listed.slice(first, first + size);
      const lengthMs = isByTime ? Math.floor(MAX_POINTS / groups.length) * LENGTHS[every] : to - from;
      for (let at = from; at < to; at += lengthMs) yield { groups, from: at, to: Math.min(at + lengthMs, to) };
    }
  }
}

async function* listsOf(
  history: Store,
  { limit, ...query }: ExportQuery & { readonly by: Grouping },
): AsyncGenerator<readonly Group[]> {
  const order = limit === undefined ? 'group' : 'requests';
  let list: GroupList | undefined;
  do {
    list = await history.usageGroups({ ...query, order, limit: limit ?? LISTED_GROUPS, after: list?.groups.at(-1) });
    yield list.groups;
  } while (!list.isLast);
}
