import { infiniteQueryOptions } from '@tanstack/react-query';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import type { Page } from './all-pages.ts';
import { PAGE_SIZE } from './keys.ts';
import { api, type Schemas } from './transport/client.ts';

export type AuditEntry = Schemas['AuditEntry'];

/** Read from the URL, which may contain any text. The API refuses an unknown action. */
export interface AuditFilters {
  readonly subject?: string;
  readonly actor?: string;
  readonly action?: Schemas['AuditAction'];
  readonly bulkId?: string;
  /** The sequence number of a single entry. */
  readonly sequence?: number;
  /** `true` if sign-ins are listed too. */
  readonly signIns?: 'true' | 'false';
  readonly from?: string;
  readonly to?: string;
}

export const auditQuery = (filters: AuditFilters, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters, limit],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filters, limit, cursor };
      // The cast is safe: the API responds with CSV only on request.
      return (await readResponse(api.GET('/audit', { params: { query }, signal }))) as Page<AuditEntry>;
    },
    ...cursorPaging,
  });
