import { StoreUnavailable } from './error-types.ts';

const PAUSE_MS = 500;

interface RetryOptions {
  /** Called when an attempt fails, but only once for consecutive failures with the same message. */
  readonly onFailure: (error: Error) => void;
  /** Called when an attempt succeeds after failures. */
  readonly onRecovery: () => void;
}

interface Retries {
  /**
   * Resolves to true if the first attempt succeeds, and to false if it fails with `StoreUnavailable` and will be
   * retried. Rejects with any other error.
   */
  readonly firstAttempt: Promise<boolean>;
  readonly stop: () => void;
}

/** Runs work that needs a store, and retries it until the store is available. */
export function retryUntilAvailable(work: () => Promise<void>, { onFailure, onRecovery }: RetryOptions): Retries {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** The message of the last failure; null if there was none. */
  let cause: string | null = null;

  function handleFailure(error: unknown): void {
    if (isStopped) return;
    const failure = Error.isError(error) ? error : new Error(String(error));
    if (failure.message !== cause) onFailure(failure);
    cause = failure.message;
    timer = setTimeout(() => void retry(), PAUSE_MS).unref();
  }

  async function retry(): Promise<void> {
    try {
      await work();
    } catch (error) {
      return handleFailure(error);
    }
    if (!isStopped) onRecovery();
  }

  async function attempt(): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      handleFailure(error);
      return false;
    }
  }

  return {
    firstAttempt: attempt(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
