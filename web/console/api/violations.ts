import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { type Period, createPeriodKey, findTimes } from '../../shared/traffic/period.ts';
import { refreshWhileOnePage } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type Violations = Schemas['Violations'];
export type ViolationTotals = Schemas['ViolationTotals'];
export type ViolatedOperation = Schemas['ViolatedOperation'];
export type ViolationGroup = 'key' | 'owner' | 'rule';
/** The document against which requests are validated. */
export type ComparedDocument = 'current' | 'candidate';

const PAGE_SIZE = 100;
/** The maximum that the API returns. */
const MAX_OPERATIONS = 1000;

/** Counts are stored within ten seconds, so that refreshing more often would show nothing new. */
const EVERY_MS = 15_000;

const toHours = (period: Period) => {
  const { from, to } = findTimes(period);
  return to === undefined ? { from } : { from, to };
};

/** Lists the senders of requests that do not fit an operation, most requests first. */
export const violationsQuery = (id: string, period: Period, by: ViolationGroup, document: ComparedDocument) =>
  infiniteQueryOptions({
    queryKey: ['violations', id, createPeriodKey(period), by, document],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { by, document, ...toHours(period), limit: PAGE_SIZE, cursor };
      return readResponse(api.GET('/operations/{id}/violations', { params: { path: { id }, query }, signal }));
    },
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(EVERY_MS),
  });

/** Lists the operations that have received requests that do not fit them. */
export const violatedOperationsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['violations', createPeriodKey(period), 'operations'],
    queryFn: ({ signal }) => {
      const query = { ...toHours(period), limit: MAX_OPERATIONS };
      return readResponse(api.GET('/violations', { params: { query }, signal }));
    },
    staleTime: period.refreshMs,
    refetchInterval: period.refreshMs,
  });

/** Lists the rules that the requests of a key or an owner broke. */
export const violatedRulesQuery = (
  filters: { readonly key: string } | { readonly owner: string },
  period: Period,
  document: ComparedDocument,
) =>
  queryOptions({
    queryKey: ['violations', createPeriodKey(period), filters, document],
    queryFn: ({ signal }) => {
      const query = { ...filters, ...toHours(period), by: 'rule' as const, document, limit: PAGE_SIZE };
      return readResponse(api.GET('/violations', { params: { query }, signal }));
    },
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });
