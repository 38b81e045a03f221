import type { Logger } from 'pino';

/** Tells once why spans are lost, for as long as the reason stays the same, and once when they are sent again. */
export class FailureLog {
  readonly #logger: Logger;
  #cause: string | null = null;
  #isDropping = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(error: Error | undefined): void {
    // Not the error itself: the SDK's carries the receiver's answer, of any length.
    const reason = reasonOf(error);
    if (reason === this.#cause) return;
    this.#cause = reason;
    this.#logger.warn({ reason }, 'traces could not be sent: their spans are lost');
  }

  dropped(): void {
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.#logger.warn('more spans are made than can be sent: some are dropped');
  }

  sent(): void {
    if (this.#cause !== null) this.#logger.info('traces are sent again');
    this.#cause = null;
    this.#isDropping = false;
  }
}

/** The status of an answer, else the code of the system's error, else the message. */
function reasonOf(error: Error | undefined): string {
  const { code, message } = (error ?? {}) as { readonly code?: string | number; readonly message?: string };
  if (typeof code === 'number') return `HTTP ${code}`;
  return code ?? message ?? 'unknown';
}
