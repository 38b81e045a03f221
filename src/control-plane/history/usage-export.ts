import { INTERVAL_LENGTHS, findNextStart, findStart } from './store/calendar.ts';
import { type GroupNames, formatUsageCsv, formatUsageCsvHead } from './report-csv.ts';
import type { Group, GroupList, Grouping, HistoryStore, UsageQuery } from './store/history-store.ts';

/** Number of points read together. */
const MAX_POINTS = 10_000;
const MAX_GROUPS = 500;
/** Number of groups per list. One list may take as long as a report, so there should be few lists. */
const GROUPS_PER_LIST = 10_000;

interface ExportQuery extends Omit<UsageQuery, 'limit' | 'groups'> {
  /** Maximum number of groups, busiest first; undefined: all groups. */
  readonly limit: number | undefined;
}

type Store = Pick<HistoryStore, 'usage' | 'usageGroups'>;
type Part = Pick<UsageQuery, 'from' | 'to'> & { readonly groups: readonly Group[] };

/**
 * Exports the complete result of a query as CSV, in pieces. Each piece is a separate report that runs only when the
 * client has read the previous one. So neither the database nor this process holds more than one piece.
 *
 * @param findNames returns the names of groups, for the column after the groups; null: the column is left out
 */
export async function* exportUsage(
  history: Store,
  query: ExportQuery,
  findNames: ((groups: readonly Group[]) => Promise<GroupNames>) | null = null,
): AsyncGenerator<string> {
  const { by, totalsOnly = false } = query;
  let head = formatUsageCsvHead(findNames !== null);
  for await (const part of by === undefined ? [WHOLE_QUERY] : splitQuery(history, { ...query, by })) {
    const { series } = await history.usage({ ...query, limit: MAX_GROUPS, ...part });
    const names = findNames === null ? null : await findNames(series.map(({ group }) => group));
    const text = head + formatUsageCsv(series, totalsOnly, names);
    head = '';
    // An empty piece has nothing to send.
    if (text !== '') yield text;
  }
  if (head !== '') yield head;
}

const WHOLE_QUERY = {};

/** Splits the query into reports, each for some of the groups and a part of the period. */
async function* splitQuery(history: Store, query: ExportQuery & { readonly by: Grouping }): AsyncGenerator<Part> {
  const { every, totalsOnly = false } = query;
  // The period is widened to whole intervals, so that no interval is split between two reports.
  const [from, to] = [findStart(every, query.from), findNextStart(every, query.to)];
  const intervals = totalsOnly ? 1 : (to - from) / INTERVAL_LENGTHS[every];
  // Rows of minutes are stored by time, so a report of a few groups reads the rows of all groups. Therefore, a report
  // has many groups and few minutes. Otherwise, each report would read the same rows again.
  const isByTime = every === 'minute' && !totalsOnly;
  const partSize = isByTime ? MAX_GROUPS : Math.min(MAX_GROUPS, Math.max(1, Math.floor(MAX_POINTS / intervals)));
  for await (const listedGroups of readGroupLists(history, query)) {
    for (let start = 0; start < listedGroups.length; start += partSize) {
      const groups = listedGroups.slice(start, start + partSize);
      const lengthMs = isByTime ? Math.floor(MAX_POINTS / groups.length) * INTERVAL_LENGTHS[every] : to - from;
      for (let at = from; at < to; at += lengthMs) yield { groups, from: at, to: Math.min(at + lengthMs, to) };
    }
  }
}

async function* readGroupLists(
  history: Store,
  { limit, ...query }: ExportQuery & { readonly by: Grouping },
): AsyncGenerator<readonly Group[]> {
  const order = limit === undefined ? 'group' : 'requests';
  let list: GroupList | undefined;
  do {
    list = await history.usageGroups({ ...query, order, limit: limit ?? GROUPS_PER_LIST, after: list?.groups.at(-1) });
    yield list.groups;
  } while (!list.isLast);
}
