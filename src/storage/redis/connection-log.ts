import type { Logger } from 'pino';
import { explain, type Failure } from './failure.ts';

const CLOSED: Failure = { kind: 'unreachable', reason: 'Redis cannot be reached (the connection was closed)' };

/**
 * Logs one line when a connection is lost or fails for a new reason, and one when it is back, rather than one per
 * attempt.
 */
export class ConnectionLog {
  readonly #logger: Logger;
  #lastError: Failure | null = null;
  /** What the last line was about. */
  #lastLogged: Failure['kind'] | 'ready' | 'nothing' = 'nothing';
  #ended = false;
  #renewing = false;

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

  /** An error of one node of a cluster: what it means for the others is not known yet. */
  nodeFailed(error: unknown): void {
    this.#lastError ??= explain(error);
  }

  closed(): void {
    const failure = this.#lastError ?? CLOSED;
    this.#lastError = null;
    this.failure = failure;
    if (this.#renewing) return;
    if (this.#ended || this.#lastLogged === failure.kind) return;
    this.#lastLogged = failure.kind;
    this.#logger.warn({ failure: failure.kind }, `${failure.reason}; trying again until it works`);
  }

  ready(): void {
    this.#lastError = null;
    this.failure = null;
    this.#renewing = false;
    if (this.#lastLogged === 'ready' || this.#ended) return;
    this.#lastLogged = 'ready';
    this.#logger.info('connected to Redis');
  }

  /** The connection is being closed to make a new one: nothing to log if that works. */
  renewed(): void {
    this.#renewing = true;
  }

  /** Logs nothing from now on: the connection is being closed on purpose. */
  end(): void {
    this.#ended = true;
  }
}
