import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import { CounterTally } from './tally.ts';

/** Metrics of the configuration and its reloads. */
export class ReloadMetrics {
  readonly #done;
  readonly #failed;
  readonly #isCurrent: Gauge;
  readonly #drift: Gauge;

  constructor(registry: Registry) {
    const help = 'Configuration reloads, by result.';
    const reloads = new CounterTally(registry, 'tollgate_config_reloads_total', help, ['outcome']);
    this.#done = reloads.child('done');
    this.#failed = reloads.child('failed');
    this.#isCurrent = new Gauge({
      name: 'tollgate_config_current',
      help: 'Whether the last reload succeeded. 0: the previous configuration is still in effect.',
      registers: [registry],
    });
    this.#isCurrent.set(1);
    this.#drift = new Gauge({
      name: 'tollgate_config_drift',
      help: 'Number of running gateways whose configuration differs from that of this one.',
      registers: [registry],
    });
    this.#drift.set(0);
  }

  /** @param gateways running gateways that have another configuration than this one */
  setDrift(gateways: number): void {
    this.#drift.set(gateways);
  }

  record(succeeded: boolean): void {
    (succeeded ? this.#done : this.#failed).value++;
    this.#isCurrent.set(succeeded ? 1 : 0);
  }
}
