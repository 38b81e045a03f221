import type { Failure } from '../../../storage/redis/redis-failure.ts';

const PROBE_INTERVAL_MS = 200;
/** Maximum wait before the first probe, for a breaker that opens again soon after closing. */
const MAX_HOLD_MS = 1600;
const MAX_FAILURES = 5;
/** Time without a failure after which the breaker counts as recovered. */
const RECOVERED_AFTER_MS = 5000;

interface BreakerOptions {
  /** Checks the store. Resolves if it works, and rejects otherwise. */
  readonly probe: () => Promise<void>;
  readonly onOpen: (failure: Failure) => void;
  readonly onClose: (openForMs: number) => void;
}

/**
 * Keeps requests from waiting for a store that is known to be unavailable. The first failure opens the breaker. An
 * isolated failure costs little, because a probe follows immediately. Requests of clients are never used as probes.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failure: Failure | null = null;
  #openedAt = 0;
  #closedAt = -Infinity;
  #holdMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #failures = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Why the breaker is open; null while it is closed. */
  get failure(): Failure | null {
    return this.#failure;
  }

  open(failure: Failure): void {
    if (this.#failure !== null || this.#isStopped) return;
    this.#failure = failure;
    this.#openedAt = performance.now();
    const hasRecovered = this.#openedAt - this.#closedAt > RECOVERED_AFTER_MS;
    this.#holdMs = hasRecovered ? 0 : Math.min(Math.max(PROBE_INTERVAL_MS, 2 * this.#holdMs), MAX_HOLD_MS);
    this.#options.onOpen(failure);
    this.#probeAfter(this.#holdMs);
  }

  /**
   * Records a failure that may concern only one request. The breaker opens after `MAX_FAILURES` in a row.
   */
  recordFailure(failure: Failure): void {
    if (++this.#failures >= MAX_FAILURES) this.open(failure);
  }

  recordSuccess(): void {
    this.#failures = 0;
  }

  /** Stops probing. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #probeAfter(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#options.probe().then(
        () => this.#close(),
        () => this.#probeAfter(PROBE_INTERVAL_MS),
      );
    }, ms).unref();
  }

  #close(): void {
    if (this.#isStopped) return;
    this.#failure = null;
    this.#failures = 0;
    this.#closedAt = performance.now();
    this.#options.onClose(this.#closedAt - this.#openedAt);
  }
}
