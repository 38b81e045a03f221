import { nameOf, type Client } from './clients.ts';
import { situations, type Situation } from './situations.ts';

/** What came of the requests that a client made at once in one situation. */
export interface Result {
  readonly client: Client;
  readonly situation: Situation;
  readonly atOnce: number;
  /** The client had not finished the rest at the end. */
  readonly served: number;
  readonly failed: number;
  /** Calls that arrived at the gateway. */
  readonly calls: number;
  readonly strikes: number;
  readonly banned: boolean;
}

/** The numbers of requests that are made at once. Each has a table of its own. */
export const AT_ONCE = [1, 20] as const;

export const HEAD: readonly string[] = ['client', ...situations.map(({ title }) => title)];

/** Markdown. */
export function tableOf(clients: readonly Client[], results: readonly Result[]): string {
  const rows = clients.map((client) => [
    nameOf(client),
    ...situations.map((situation) => {
      const result = results.find((each) => each.client === client && each.situation === situation);
      return result === undefined ? '' : cell(result);
    }),
  ]);
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cell({ atOnce, served, failed, calls, strikes, banned }: Result): string {
  const waiting = atOnce - served - failed;
  const ends = [
    [served, 'served'],
    [failed, 'failed'],
    [waiting, 'waiting'],
  ] as const;
  const said = ends.filter(([count]) => count > 0).map(([count, word]) => (atOnce === 1 ? word : `${count} ${word}`));
  const struck = strikes === 0 ? [] : [`${strikes} ${strikes === 1 ? 'strike' : 'strikes'}`];
  return [...said, calls === 1 ? '1 call' : `${calls} calls`, ...struck, ...(banned ? ['**banned**'] : [])].join(', ');
}

const PAGE_PLACE = /(<!-- begin clients: [^]*?-->\n)[^]*?(<!-- end clients -->)/;

/** The page with these tables in the place that is marked for them. */
export function withTables(page: string, tables: string): string {
  if (!PAGE_PLACE.test(page)) throw new Error('the page has no place for the tables of clients');
  return page.replace(PAGE_PLACE, (_, begin: string, end: string) => `${begin}\n${tables}\n\n${end}`);
}
