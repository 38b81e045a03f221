import { StoreUnavailable } from '../../base/error-types.ts';
import type { RedisConnection } from './connection.ts';
import { explain, type Failure, timedOut } from './failure.ts';

/** Redis did not do what it was asked. Carries no client error: those contain what was sent, including passwords. */
export class RedisUnavailable extends StoreUnavailable {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/**
 * The answer of Redis if it arrives within `ms`.
 *
 * Used in place of the client's own timeout for one reason: if this process was busy for long, answers that arrived in
 * time are still unread when the timer fires, and it would be wrong to call Redis slow.
 *
 * @throws RedisUnavailable (as a rejection) for every failure
 */
export function answeredWithin<T>({ failure }: RedisConnection, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Reject only after everything that has arrived was read.
      setImmediate(() => reject(new RedisUnavailable(timedOut)));
    }, ms);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        const explained = explain(error);
        // Without a connection, all the client says about a command is that there is none; the log of it knows why.
        reject(new RedisUnavailable((explained.kind === 'unreachable' ? failure() : null) ?? explained));
      },
    );
  });
}
