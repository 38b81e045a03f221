import { api } from './transport/client.ts';
import { parseError } from '../../shared/transport/error.ts';
import type { AuditFilters } from './audit.ts';

const PAGE_SIZE = 1000;

/**
 * Reads every change that matches, as the server's CSV.
 *
 * @param onProgress called with the number of changes read so far
 * @throws ApiError
 */
export async function readAuditCsv(filters: AuditFilters, onProgress: (read: number) => void): Promise<string> {
  const parts: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
    const { data, error, response } = await api.GET('/audit', {
      params: { query: { ...filters, limit: PAGE_SIZE, cursor } },
      headers: { Accept: 'text/csv' },
      parseAs: 'text',
    });
    if (!response.ok || typeof data !== 'string') throw parseError(response.status, error);
    // Each page is a table with a header, but the file needs the header only once.
    parts.push(pages === 0 ? data : data.slice(data.indexOf('\n') + 1));
    cursor = cursorIn(response.headers.get('Link'));
    onProgress(++pages * PAGE_SIZE);
  } while (cursor !== undefined);
  return parts.join('');
}

/** Extracts the cursor of the next page from the `Link` header. */
function cursorIn(link: string | null): string | undefined {
  const target = /^<([^>]*)>; rel="next"$/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  return new URLSearchParams(target.slice(target.indexOf('?'))).get('cursor') ?? undefined;
}
