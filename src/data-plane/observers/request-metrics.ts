import type { Registry } from 'prom-client';
import { callErrors, type CallErrorCode, SERVED } from '../../domain/error-codes.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { RequestObserver, RequestRecord } from '../exchange/request-record.ts';
import { type Count, CounterTally, type Distribution, HistogramTally } from '../../telemetry/metrics/tally.ts';

/** Histogram buckets in seconds, from the time that the gateway itself needs to a time that is slow for any request. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const CODES = Object.keys(callErrors) as CallErrorCode[];
/** The codes of refusals that an upstream causes. */
const UPSTREAM_CODES = CODES.filter((code) => code.startsWith('upstream_'));

const NONE = 'none';
/** The `upstream` label of refusals if no operation matches the request. */
const NO_UPSTREAM = '';
/** The `operation` label of the gateway's own endpoints. */
const GATEWAY_LABEL = 'gateway';
/** The `status` of a request whose client disconnected before the response. */
const ABORTED = 0;

/** The metrics of one operation, by status and plan. */
interface OperationTally {
  readonly id: string;
  readonly duration: Distribution;
  readonly upstream: Distribution | null;
  /** Status → plan → count. */
  readonly responses: Map<number, Map<string, Count>>;
}

/** Counts every response and its outcome. Allocates nothing for a known kind of request. */
export class RequestMetrics {
  readonly #responses: CounterTally;
  readonly #refusals: CounterTally;
  readonly #duration: HistogramTally;
  readonly #upstream: HistogramTally;
  readonly #cutOff: Count;
  /** A weak map, because a reload creates new operations and the old ones must be freed. */
  readonly #byOperation = new WeakMap<Operation, OperationTally>();
  /** Upstream → code → count. */
  readonly #refusalsByUpstream = new Map<string, Map<CallErrorCode, Count>>();
  readonly #none: OperationTally;
  readonly #gateway: OperationTally;

  constructor(registry: Registry) {
    this.#responses = new CounterTally(registry, 'tollgate_requests_total', 'Requests, by outcome.', [
      'operation',
      'status',
      'plan',
    ]);
    this.#duration = new HistogramTally(
      registry,
      'tollgate_request_duration_seconds',
      'Time from the request headers to the end of the response.',
      ['operation'],
      BUCKETS,
    );
    this.#upstream = new HistogramTally(
      registry,
      'tollgate_upstream_duration_seconds',
      'Time from forwarding a request to the response headers of the upstream.',
      ['upstream'],
      BUCKETS,
    );
    this.#refusals = new CounterTally(
      registry,
      'tollgate_refusals_total',
      'Requests refused by the gateway, by error code.',
      ['reason', 'upstream'],
    );
    // These counters are created at the start, so that the first refusal shows as an increase from 0 and not as a new
    // series.
    for (const code of CODES) this.#refusalCount(code, NO_UPSTREAM);
    this.#cutOff = new CounterTally(
      registry,
      'tollgate_responses_cut_off_total',
      'Responses that started but were not completed: the client disconnected, or the upstream failed.',
      [],
    ).child();
    this.#none = this.#operation(NONE, null);
    this.#gateway = this.#operation(GATEWAY_LABEL, null);
  }

  /** Counts a response that has ended, complete or not. */
  readonly observe: RequestObserver = (record) => {
    const { credential, outcome, upstreamMs, status } = record;
    const tally = this.#tallyOf(record);
    this.#count(tally, status || ABORTED, credential === null ? NONE : credential.plan);
    tally.duration.observe(record.durationMs / 1000);
    if (upstreamMs !== null && tally.upstream !== null) tally.upstream.observe(upstreamMs / 1000);
    if (outcome !== SERVED) this.#refusalCount(outcome, record.upstream ?? NO_UPSTREAM).value++;
    if (record.aborted && status !== 0) this.#cutOff.value++;
  };

  /** Creates the counters for failures of these upstreams, for the same reason as in the constructor. */
  addUpstreams(names: readonly string[]): void {
    for (const name of names) for (const code of UPSTREAM_CODES) this.#refusalCount(code, name);
  }

  /** Counts a refusal that came before a request could be parsed. */
  recordUnparsed(code: CallErrorCode): void {
    this.#count(this.#none, callErrors[code].status, NONE);
    this.#refusalCount(code, NO_UPSTREAM).value++;
  }

  #tallyOf({ operation, upstream, kind }: RequestRecord): OperationTally {
    if (operation === null) return kind === 'gateway_endpoint' ? this.#gateway : this.#none;
    let tally = this.#byOperation.get(operation);
    if (tally === undefined) {
      tally = this.#operation(operation.id, upstream);
      this.#byOperation.set(operation, tally);
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

  #refusalCount(code: CallErrorCode, upstream: string): Count {
    let byCode = this.#refusalsByUpstream.get(upstream);
    if (byCode === undefined) this.#refusalsByUpstream.set(upstream, (byCode = new Map()));
    let count = byCode.get(code);
    if (count === undefined) byCode.set(code, (count = this.#refusals.child(code, upstream)));
    return count;
  }
}
