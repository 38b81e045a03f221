import type { UsageHistory } from './usage-history.ts';

export interface OutcomeRow {
  /** `served`, `client_error` or `server_error` for responses of services, or the code of a refusal. Null: unknown. */
  readonly outcome: string | null;
  readonly requests: number;
}

/** Counts requests by outcome, most frequent first. Responses of services are grouped by status. */
export function createOutcomeRows({ series }: UsageHistory): readonly OutcomeRow[] {
  return series
    .flatMap(({ group, totals: { requests, clientErrors, errors } }): OutcomeRow[] => {
      if (group !== 'served') return [{ outcome: group, requests }];
      return [
        { outcome: 'served', requests: requests - clientErrors - errors },
        { outcome: 'client_error', requests: clientErrors },
        { outcome: 'server_error', requests: errors },
      ];
    })
    .filter(({ requests }) => requests > 0)
    .toSorted((one, other) => other.requests - one.requests);
}
