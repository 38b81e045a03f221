import type { Registry } from 'prom-client';
import { type Count, CounterTally } from '../../telemetry/metrics/tally.ts';
import type { CheckedRequest, ValidationObserver } from '../validation/checked-request.ts';

/** Counts the requests that do not fit the document of their service. */
export class ValidationMetrics {
  readonly #violations: CounterTally;
  /** Upstream → mode → count. */
  readonly #byUpstream = new Map<string, Map<CheckedRequest['mode'], Count>>();

  constructor(registry: Registry) {
    this.#violations = new CounterTally(
      registry,
      'tollgate_validation_violations_total',
      'Requests that do not fit the OpenAPI document.',
      ['upstream', 'mode'],
    );
  }

  readonly observe: ValidationObserver = ({ upstream, mode, broken }) => {
    if (broken.length > 0) this.#count(upstream, mode).value++;
  };

  #count(upstream: string, mode: CheckedRequest['mode']): Count {
    let byMode = this.#byUpstream.get(upstream);
    if (byMode === undefined) this.#byUpstream.set(upstream, (byMode = new Map()));
    let count = byMode.get(mode);
    if (count === undefined) byMode.set(mode, (count = this.#violations.child(upstream, mode)));
    return count;
  }
}
