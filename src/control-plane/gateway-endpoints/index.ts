import type { Endpoint } from '../../data-plane/ports.ts';
import type { Clock } from '../../base/time.ts';
import type { HistoryStore } from '../history/reports.ts';
import type { Retention } from '../history/retention.ts';
import { requestEndpoint } from './request.ts';
import { usageBody } from './usage.ts';
import { usageHistoryEndpoint } from './usage-history.ts';

export interface EndpointsSettings {
  readonly history: HistoryStore;
  readonly historyKeep: Retention;
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: object;
  readonly clock: Clock;
}

export interface FoundEndpoint {
  readonly answer: Endpoint;
  readonly parameter: string;
}

const REQUESTS = 'requests/';

/** @returns finds an endpoint by its path below `/_gateway/` */
export function createEndpoints({ history, historyKeep, publicDocument, clock }: EndpointsSettings) {
  const document = JSON.stringify(publicDocument);
  const request = requestEndpoint(history, clock);
  const byPath = new Map<string, Endpoint>([
    ['usage', ({ credential, usage }) => JSON.stringify(usageBody(credential.plan, usage))],
    ['usage/history', usageHistoryEndpoint(history, historyKeep, clock)],
    ['openapi.json', () => document],
  ]);

  return function findEndpoint(path: string): FoundEndpoint | undefined {
    if (path.startsWith(REQUESTS)) return { answer: request, parameter: path.slice(REQUESTS.length) };
    const answer = byPath.get(path);
    return answer === undefined ? undefined : { answer, parameter: '' };
  };
}
