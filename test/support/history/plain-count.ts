import type {
  Grouping,
  Resolution,
  UsageFigures,
  UsageQuery,
} from '../../../src/control-plane/history/store/history-store.ts';
import { errors, type CallErrorCode } from '../../../src/domain/error-codes.ts';
import type { HistoryEvent } from './history-model.ts';

export const LENGTH_MS: Readonly<Record<Resolution, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  '6h': 21_600_000,
  day: 86_400_000,
};

/** For each key, the current owner and plan, and the first key of its rotation chain. */
type Owners = ReadonlyMap<string, { readonly owner: string; readonly plan: string; readonly chain: string }>;

/** Computes reports by counting individual events, to compare them with the reports of the history. */
export class PlainCount {
  readonly #events: readonly HistoryEvent[];
  readonly #owners: Owners;

  constructor(events: readonly HistoryEvent[], owners: Owners) {
    this.#events = events;
    this.#owners = owners;
  }

  /**
   * Groups the events that match a query.
   *
   * @param from start of the period, after retention is applied
   */
  groups(query: UsageQuery, from: number, to: number): Map<string | null, HistoryEvent[]> {
    const found = this.#events.filter((event) => event.at >= from && event.at < to && this.#isAskedFor(event, query));
    return Map.groupBy(found, (event) => this.#groupOf(event, query.by));
  }

  #isAskedFor(event: HistoryEvent, query: UsageQuery): boolean {
    const filters = { key: 'key', owner: 'owner', plan: 'plan', operation: 'operation', outcome: 'outcome' } as const;
    if (query.chainOf !== undefined && !this.#isInChain(event, query.chainOf)) return false;
    return Object.values(filters).every((by) => query[by] === undefined || this.#groupOf(event, by) === query[by]);
  }

  #isInChain({ key }: HistoryEvent, of: string): boolean {
    const chain = this.#owners.get(of)?.chain;
    return chain !== undefined && key !== null && this.#owners.get(key)?.chain === chain;
  }

  #groupOf({ key, operation, outcome }: HistoryEvent, by: Grouping | undefined): string | null {
    const of = key === null ? undefined : this.#owners.get(key);
    if (by === undefined) return null;
    return { key, owner: of?.owner ?? null, plan: of?.plan ?? null, operation, outcome }[by];
  }
}

interface PlainFigures extends Omit<UsageFigures, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
  readonly durations: readonly number[];
}

export function countFigures(events: readonly HistoryEvent[]): PlainFigures {
  const isRefusal = ({ outcome }: HistoryEvent) => outcome in errors && errors[outcome as CallErrorCode].status < 500;
  return {
    requests: events.length,
    units: events.reduce((sum, { units }) => sum + units, 0),
    refused: events.filter(isRefusal).length,
    errors: events.filter(({ statusClass }) => statusClass === 5).length,
    clientErrors: events.filter(({ outcome, statusClass }) => outcome === 'served' && statusClass === 4).length,
    durations: events.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b),
  };
}
