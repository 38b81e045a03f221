import type { Failure } from '../../redis/failure.ts';

const PAUSE_MS = 200;
/** One that closes and trips again at once stays open for longer, up to this. */
const LONGEST_HOLD_MS = 1600;
const MAX_FAILURES = 5;
/** Closed for so long, it counts as recovered. */
const STEADY_MS = 5000;

export interface BreakerOptions {
  /** Resolves if it works again. */
  readonly probe: () => Promise<void>;
  readonly onOpen: (failure: Failure) => void;
  readonly onClose: (openForMs: number) => void;
}

/**
 * Keeps requests from waiting for what is known not to answer. The first failure opens it: an isolated one costs
 * little, since it is probed at once; and nobody's request is the probe.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failure: Failure | null = null;
  #openedAt = 0;
  #closedAt = -Infinity;
  #hold = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #failures = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Why it is open; null while it is closed. */
  get failure(): Failure | null {
    return this.#failure;
  }

  open(failure: Failure): void {
    if (this.#failure !== null || this.#stopped) return;
    this.#failure = failure;
    this.#openedAt = performance.now();
    const steady = this.#openedAt - this.#closedAt > STEADY_MS;
    this.#hold = steady ? 0 : Math.min(Math.max(PAUSE_MS, 2 * this.#hold), LONGEST_HOLD_MS);
    this.#options.onOpen(failure);
    this.#probeIn(this.#hold);
  }

  /** Takes note of a failure that may be one request's bad luck: several of them, and none that worked between, open it. */
  recordFailure(failure: Failure): void {
    if (++this.#failures >= MAX_FAILURES) this.open(failure);
  }

  recordSuccess(): void {
    this.#failures = 0;
  }

  /** No more probes. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #probeIn(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#options.probe().then(
        () => this.#close(),
        () => this.#probeIn(PAUSE_MS),
      );
    }, ms).unref();
  }

  #close(): void {
    if (this.#stopped) return;
    this.#failure = null;
    this.#failures = 0;
    this.#closedAt = performance.now();
    this.#options.onClose(this.#closedAt - this.#openedAt);
  }
}
