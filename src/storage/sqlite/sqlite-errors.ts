import { StoreUnavailable } from '../../base/error-types.ts';

/** Primary result codes for a file that can't be used now: busy, locked, no memory, read-only, I/O, corrupt, full. */
const UNUSABLE_CODES = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** What an error of SQLite means; the error itself if the query was at fault. */
export function explainSqlite(error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined || !UNUSABLE_CODES.has(errcode & 0xff)) return error;
  return new StoreUnavailable('the database file cannot be used', { cause: error });
}
