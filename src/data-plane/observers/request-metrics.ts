import type { Registry } from 'prom-client';
import { callErrors, type CallErrorCode } from '../../base/error-codes.ts';
import { GATEWAY_PREFIX } from '../../http/path-rules.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from '../upstreams/upstream.ts';
import { type Count, CounterTally, type Distribution, HistogramTally } from '../../telemetry/metrics/tally.ts';

/** Seconds. From what this gateway itself takes to what is slow for any request. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const NONE = 'none';
/** The `operation` label of the gateway's own endpoints. */
const GATEWAY = 'gateway';
/** Stands for the `status` of a request whose client left before it was answered. */
const ABORTED = 0;

/** The metrics of one operation: found by its route, then by status and plan. */
interface OperationTally {
  readonly id: string;
  readonly duration: Distribution;
  readonly upstream: Distribution | null;
  /** Status → plan → count. */
  readonly responses: Map<number, Map<string, Count>>;
}

/** Counts every response and how it ended. Allocates nothing for a request of a kind seen before. */
export class RequestMetrics {
  readonly #responses: CounterTally;
  readonly #refusals: CounterTally;
  readonly #duration: HistogramTally;
  readonly #upstream: HistogramTally;
  readonly #cutOff: Count;
  /** Weak: after a reload there are other routes. */
  readonly #byRoute = new WeakMap<Route, OperationTally>();
  readonly #byCode = new Map<CallErrorCode, Count>();
  readonly #none: OperationTally;
  readonly #gateway: OperationTally;

  constructor(registry: Registry) {
    this.#responses = new CounterTally(registry, 'tollgate_requests_total', 'Requests, by how they were answered.', [
      'operation',
      'status',
      'plan',
    ]);
    this.#duration = new HistogramTally(
      registry,
      'tollgate_request_duration_seconds',
      'From the head of a request to the end of its response.',
      ['operation'],
      BUCKETS,
    );
    this.#upstream = new HistogramTally(
      registry,
      'tollgate_upstream_duration_seconds',
      'From handing a request to its upstream to the head of the response.',
      ['upstream'],
      BUCKETS,
    );
    this.#refusals = new CounterTally(
      registry,
      'tollgate_refusals_total',
      'Requests that the gateway answered in place of the upstream, by the code of the error.',
      ['reason'],
    );
    // Created at the start, so that the first refusal shows as an increase from 0 and not as a new series.
    for (const code of Object.keys(callErrors) as CallErrorCode[]) this.#byCode.set(code, this.#refusals.child(code));
    this.#cutOff = new CounterTally(
      registry,
      'tollgate_responses_cut_off_total',
      'Responses that began and were not received whole: the client left, or the upstream broke off.',
      [],
    ).child();
    this.#none = this.#operation(NONE, null);
    this.#gateway = this.#operation(GATEWAY, null);
  }

  /**
   * Counts a response that has ended, complete or not.
   *
   * @param now `performance.now()`
   */
  record(exchange: Exchange, now: number): void {
    const { res, credential, refusal, forwardedAt } = exchange;
    const tally = this.#tallyOf(exchange);
    this.#count(tally, exchange.status || ABORTED, credential === null ? NONE : credential.plan);
    tally.duration.observe((now - exchange.startedAt) / 1000);
    if (forwardedAt !== 0 && tally.upstream !== null) {
      tally.upstream.observe(((exchange.respondedAt || now) - forwardedAt) / 1000);
    }
    if (refusal !== null) this.#countRefusal(refusal);
    if (res.headersSent && !res.writableFinished) this.#cutOff.value++;
  }

  /** Counts a refusal that came before a request could be parsed. */
  recordUnparsed(code: CallErrorCode): void {
    this.#count(this.#none, callErrors[code].status, NONE);
    this.#countRefusal(code);
  }

  #tallyOf({ match, path }: Exchange): OperationTally {
    if (match.kind !== 'operation') return path.startsWith(GATEWAY_PREFIX) ? this.#gateway : this.#none;
    let tally = this.#byRoute.get(match.route);
    if (tally === undefined) {
      const { operation, upstream } = match.route;
      tally = this.#operation(operation.id, upstream.name);
      this.#byRoute.set(match.route, tally);
    }
    return tally;
  }

  #operation(id: string, upstream: string | null): OperationTally {
    return {
      id,
      duration: this.#duration.child(id),
      upstream: upstream === null ? null : this.#upstream.child(upstream),
      responses: new Map(),
    };
  }

  #count({ id, responses }: OperationTally, status: number, plan: string): void {
    let byPlan = responses.get(status);
    if (byPlan === undefined) responses.set(status, (byPlan = new Map()));
    let count = byPlan.get(plan);
    if (count === undefined) {
      count = this.#responses.child(id, status === ABORTED ? 'aborted' : String(status), plan);
      byPlan.set(plan, count);
    }
    count.value++;
  }

  #countRefusal(code: CallErrorCode): void {
    const count = this.#byCode.get(code);
    if (count !== undefined) count.value++;
  }
}
