import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { api, type Schemas, sendRequest } from './transport/client.ts';

export type Plan = Schemas['Plan'];
export type PlanRequest = Schemas['PlanRequest'];

/** The current plan, and the plans that the user can request. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => readResponse(api.GET('/plans', { signal })),
});

/** The user's latest requests for another plan. */
export const planRequestsQuery = queryOptions({
  queryKey: ['plan-requests'],
  queryFn: ({ signal }) => readResponse(api.GET('/plan-requests', { signal })),
  select: ({ items }) => items,
});

export function requestPlan(plan: string, message: string): Promise<PlanRequest> {
  return sendRequest<PlanRequest>({ method: 'POST', path: '/plan-requests', body: { plan, message } });
}

export function withdrawRequest(id: string): Promise<unknown> {
  return sendRequest({ method: 'DELETE', path: `/plan-requests/${encodeURIComponent(id)}` });
}
