import { StoreUnavailable } from './store-unavailable.ts';

const PAUSE_MS = 500;

export interface RetryOptions {
  /** Told of a failed attempt: once for each cause, not once for each attempt. */
  readonly onFailure: (error: Error) => void;
  /** Told when it has worked after failures. */
  readonly onRecovery: () => void;
}

export interface Retries {
  /** True if it worked at once, false if it is tried again. Rejects with what is not a `StoreUnavailable`. */
  readonly firstAttempt: Promise<boolean>;
  readonly stop: () => void;
}

/** Does something that needs the shared storage, again and again until that answers. */
export function retryUntilAvailable(work: () => Promise<void>, { onFailure, onRecovery }: RetryOptions): Retries {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  /** The message of the last failure; null before the first. */
  let cause: string | null = null;

  function failed(error: unknown): void {
    if (stopped) return;
    const failure = Error.isError(error) ? error : new Error(String(error));
    if (failure.message !== cause) onFailure(failure);
    cause = failure.message;
    timer = setTimeout(() => void attemptLater(), PAUSE_MS).unref();
  }

  async function attemptLater(): Promise<void> {
    try {
      await work();
    } catch (error) {
      return failed(error);
    }
    if (!stopped) onRecovery();
  }

  async function attempt(): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failed(error);
      return false;
    }
  }

  return {
    firstAttempt: attempt(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
