import { StoreUnavailable } from '../../../base/error-types.ts';
import type { BanChange, BanSource } from '../ban-source.ts';

/**
 * Minimum time between two reads, in ms. While notifications do not work, the source may report missed changes every
 * second, but the bans must not be read that often.
 */
const REREAD_AFTER_MS = 10_000;
const RETRY_AFTER_MS = 1000;

interface FollowedBans {
  /** Resolves when the first read has succeeded or failed. */
  readonly firstRead: Promise<void>;
  readonly stop: () => void;
}

/**
 * Keeps a gateway informed about bans. Reads all bans at the start, and again whenever changes may have been missed.
 *
 * @param learn called with every change, in any order and maybe more than once
 * @param onError called with errors other than `StoreUnavailable`; after such an error, bans are not read again until
 * further changes may have been missed
 */
export function followBans(
  source: BanSource,
  learn: (change: BanChange) => void,
  onError: (error: unknown) => void,
): FollowedBans {
  let nextReadAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function read(): Promise<void> {
    nextReadAt = performance.now() + REREAD_AFTER_MS;
    try {
      for (const change of await source.read()) learn(change);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) return onError(error);
      nextReadAt = performance.now() + RETRY_AFTER_MS;
      readLater();
    }
  }

  function readLater(): void {
    if (stopped || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void read();
      },
      Math.max(0, nextReadAt - performance.now()),
    ).unref();
  }

  source.onChange((change) => {
    if (change === null) readLater();
    else learn(change);
  });
  return {
    firstRead: read(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
