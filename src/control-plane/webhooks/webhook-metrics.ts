import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import type { Backlog } from './delivery-service.ts';
import { hasArrived, type Outcome } from './sender.ts';
import { CounterTally, HistogramTally } from '../../telemetry/metrics/tally.ts';

/** In seconds, up to the time limit of an attempt. */
const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Metrics of delivery attempts. */
export class WebhookMetrics {
  readonly #registry: Registry;
  readonly #delivered;
  readonly #refused;
  readonly #unanswered;
  readonly #duration;

  constructor(registry: Registry) {
    this.#registry = registry;
    const attempts = new CounterTally(
      registry,
      'tollgate_webhook_attempts_total',
      'Attempts to deliver an event, by outcome.',
      ['outcome'],
    );
    [this.#delivered, this.#refused, this.#unanswered] = ['delivered', 'refused', 'unanswered'].map((outcome) =>
      attempts.child(outcome),
    ) as [Count, Count, Count];
    const help = 'Duration of delivery attempts, including those that failed.';
    this.#duration = new HistogramTally(
      registry,
      'tollgate_webhook_duration_seconds',
      help,
      [],
      BUCKETS_SECONDS,
    ).child();
  }

  /** Counts an attempt. Must be called after every attempt. */
  readonly countAttempt = (outcome: Outcome): void => {
    const count = hasArrived(outcome) ? this.#delivered : outcome.status === null ? this.#unanswered : this.#refused;
    count.value++;
    this.#duration.observe(outcome.durationMs / 1000);
  };

  /** Adds metrics of the backlog, as it was last read. */
  watchBacklog(getBacklog: () => Backlog): void {
    const registers = [this.#registry];
    const pending: Gauge = new Gauge({
      name: 'tollgate_webhook_deliveries_pending',
      help: 'Pending deliveries, due or not. 10,000 means 10,000 or more.',
      registers,
      collect: () => pending.set(getBacklog().pending),
    });
    const lag: Gauge = new Gauge({
      name: 'tollgate_webhook_lag_seconds',
      help: 'How long the oldest due delivery has been waiting, ignoring webhooks that fail.',
      registers,
      collect: () => lag.set(getBacklog().lagMs / 1000),
    });
  }
}

type Count = ReturnType<CounterTally['child']>;
