import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import { CounterTally } from './tally.ts';

/** Metrics of configuration reloads. */
export class ReloadMetrics {
  readonly #done;
  readonly #failed;
  readonly #isCurrent: Gauge;

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
  }

  record(succeeded: boolean): void {
    (succeeded ? this.#done : this.#failed).value++;
    this.#isCurrent.set(succeeded ? 1 : 0);
  }
}
