import { queryOptions } from '@tanstack/react-query';
import { fetchWithTimeout } from '../../shared/transport/fetch.ts';
import { STATUS_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { API_URL } from './transport/client.ts';

/** Reads the state of the gateway: `ready`, `degraded` or, while it starts or stops, the code of its refusal. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  refetchInterval: STATUS_REFRESH_MS,
  queryFn: async (): Promise<string> => {
    const response = await fetchWithTimeout(new Request(new URL('../readyz', `${API_URL}/`).href));
    const body = (await response.json()) as { readonly status: string | number; readonly code?: string };
    return body.code ?? String(body.status);
  },
});
