import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { createTable } from '../../shared/format/table-of.ts';
import type { Change } from '../../shared/transport/change.ts';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { STATUS_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas, sendRequest } from './transport/client.ts';
import { PAGE_SIZE } from './keys.ts';

export type System = Schemas['System'];
export type Component = Schemas['Component'];
export type Setting = Schemas['Setting'];
export type Gateway = Schemas['Gateway'];
export type ConfigurationDrift = Schemas['ConfigurationDrift'];

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => readResponse(api.GET('/system', { signal })),
  refetchInterval: STATUS_REFRESH_MS,
});

/** Refetched after a minute, because a reload or a restart changes the configuration. */
export const configurationQuery = queryOptions({
  queryKey: ['system', 'configuration'],
  queryFn: ({ signal }) => readResponse(api.GET('/system/configuration', { signal })),
  staleTime: MINUTE_MS,
});

export const gatewaysQuery = infiniteQueryOptions({
  queryKey: ['gateways'],
  queryFn: ({ pageParam: cursor, signal }) =>
    readResponse(api.GET('/gateways', { params: { query: { limit: PAGE_SIZE, cursor } }, signal })),
  ...cursorPaging,
  refetchInterval: STATUS_REFRESH_MS,
});

export type ReloadReport = Schemas['ReloadReport'];

/** A preview may take 25 seconds. Looking up the callers follows. */
const PREVIEW_TIMEOUT_MS = MINUTE_MS;

/**
 * Reads what a reload would do now. It costs the gateway a thread for a second or more, so it is read when the screen
 * is opened, and otherwise only on demand.
 */
export const reloadPreviewQuery = queryOptions({
  queryKey: ['system', 'reload-preview'],
  queryFn: () => sendRequest<ReloadReport>({ method: 'POST', path: '/config/preview', timeoutMs: PREVIEW_TIMEOUT_MS }),
  staleTime: MINUTE_MS,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** Reloads the gateway that handles the request. */
export function reloadConfiguration(reason: string): Change<ReloadReport> {
  return { method: 'POST', path: '/config/reload', reason };
}

const NAMES = createTable({
  counters: 'Counters and bans',
  records: 'Keys, plans and audit',
  history: 'History',
  webhooks: 'Webhooks',
});

/** Formats the name of a component for users. */
export function componentName({ name }: Component): string {
  return NAMES.get(name) ?? name.replace(/^upstream /, 'Service ');
}
