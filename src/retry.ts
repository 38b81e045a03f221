import { StoreUnavailable } from './admission/store.ts';

const PAUSE_MS = 500;

export interface Retries {
  /** True if it worked at once, false if it is tried again. Rejects with what is not a `StoreUnavailable`. */
  readonly firstAttempt: Promise<boolean>;
  readonly stop: () => void;
}

/**
 * Does something that needs the shared storage, again and again until that answers.
 *
 * @param onFailure told of what a later attempt failed with, once for each message
 */
export function retryUntilAvailable(work: () => Promise<void>, onFailure: (error: Error) => void): Retries {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let told = '';

  const again = () => {
    if (!stopped) timer = setTimeout(() => void attemptLater(), PAUSE_MS).unref();
  };
  const attemptLater = async () => {
    try {
      await work();
    } catch (error) {
      const failure = Error.isError(error) ? error : new Error(String(error));
      if (!(failure instanceof StoreUnavailable) && failure.message !== told && !stopped) {
        told = failure.message;
        onFailure(failure);
      }
      again();
    }
  };
  const attempt = async () => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      again();
      return false;
    }
  };
  return {
    firstAttempt: attempt(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
