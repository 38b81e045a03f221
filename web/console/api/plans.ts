import { queryOptions } from '@tanstack/react-query';
import type { Limits } from './limits.ts';
import type { Change } from '../../shared/transport/change.ts';
import { readResponse } from '../../shared/transport/fetch.ts';
import { readAllPages, type Page } from './all-pages.ts';
import { PAGE_SIZE } from './keys.ts';
import { api, type Schemas, sendRequest } from './transport/client.ts';

export type Plan = Schemas['Plan'];
export type PutPlan = Schemas['PutPlan'];
export type Preview = Schemas['Preview'];

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  staleTime: 30_000,
  queryFn: ({ signal }) => readPlans<Plan>({}, signal),
});

/** A row of the list of plans, with the numbers of their keys. */
export type ListedPlan = Schemas['ListedPlan'];

export const plansWithKeysQuery = queryOptions({
  queryKey: ['plans', 'with keys'],
  staleTime: 30_000,
  queryFn: ({ signal }) => readPlans<ListedPlan>({ include: 'keys' }, signal),
});

function readPlans<T extends Plan>(query: { readonly include?: 'keys' }, signal: AbortSignal): Promise<readonly T[]> {
  return readAllPages<T>(
    (cursor) =>
      readResponse(api.GET('/plans', { params: { query: { ...query, limit: PAGE_SIZE, cursor } }, signal })) as Promise<
        Page<T>
      >,
  );
}

/** Reads a plan with its version. A change sends the version, so that it applies only to what was shown. */
export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['plans', id],
    queryFn: async ({ signal }) => {
      const pending = api.GET('/plans/{id}', { params: { path: { id } }, signal });
      const plan = await readResponse(pending);
      return { plan, etag: (await pending).response.headers.get('ETag') ?? undefined };
    },
  });

/** The maximum number of keys that the API examines. */
export const MAX_PREVIEWED_KEYS = 1000;

/**
 * Finds the keys that would have exceeded the given limits. Changes nothing.
 *
 * @param keys examined instead of the plan's own keys
 */
export const previewQuery = (id: string, limits: Limits, keys?: readonly string[]) =>
  queryOptions({
    queryKey: ['plans', id, 'preview', limits, keys],
    queryFn: () =>
      sendRequest<Preview>({
        method: 'POST',
        path: `/plans/${encodeURIComponent(id)}/preview`,
        body: { limits, keys },
      }),
  });

export function putPlan(id: string, body: PutPlan, reason: string, ifMatch?: string): Change<Plan> {
  return { method: 'PUT', path: `/plans/${encodeURIComponent(id)}`, body, reason, ifMatch };
}

export function createPlan(body: PutPlan & { readonly id: string }, reason: string): Change<Plan> {
  return { method: 'POST', path: '/plans', body, reason };
}

export function deletePlan(id: string, reason: string): Change {
  return { method: 'DELETE', path: `/plans/${encodeURIComponent(id)}`, reason };
}
