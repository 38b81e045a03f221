import type { Logger } from 'pino';
import { explain, type Failure } from './failure.ts';

const CLOSED: Failure = { kind: 'unreachable', reason: 'Redis cannot be reached (the connection was closed)' };

/**
 * One line when a connection is lost, or fails for another reason than before, and one when it is back: not one for
 * every attempt.
 */
export class ConnectionLog {
  readonly #logger: Logger;
  #lastError: Failure | null = null;
  /** Of the line that was last written. */
  #told: Failure['kind'] | 'ready' | 'nothing' = 'nothing';
  #ended = false;
  #onPurpose = false;

  /** Why there is no connection; null while there is one, and before the first attempt has ended. */
  failure: Failure | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(error: unknown): void {
    // What Redis said is the reason; a reset after it is only how the connection ended.
    if (this.#lastError?.kind === 'refused') return;
    this.#lastError = explain(error);
  }

  /** Of one node of a cluster; what it means for the others is not known yet. */
  nodeFailed(error: unknown): void {
    this.#lastError ??= explain(error);
  }

  closed(): void {
    const failure = this.#lastError ?? CLOSED;
    this.#lastError = null;
    this.failure = failure;
    if (this.#onPurpose) return;
    if (this.#ended || this.#told === failure.kind) return;
    this.#told = failure.kind;
    this.#logger.warn({ failure: failure.kind }, `${failure.reason}; trying again until it works`);
  }

  ready(): void {
    this.#lastError = null;
    this.failure = null;
    this.#onPurpose = false;
    if (this.#told === 'ready' || this.#ended) return;
    this.#told = 'ready';
    this.#logger.info('connected to Redis');
  }

  /** The connection is closed to make another: nothing to tell of, if that works. */
  renewed(): void {
    this.#onPurpose = true;
  }

  /** Says nothing from now on: the connection is closed on purpose. */
  end(): void {
    this.#ended = true;
  }
}
