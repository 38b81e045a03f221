import { StoreUnavailable } from '../base/store-unavailable.ts';
import type { RedisConnection } from './connection.ts';
import { explain, type Failure, timedOut } from './failure.ts';

/** Redis did not do what it was asked. Carries no error of the client: those name what was sent, passwords too. */
export class RedisUnavailable extends StoreUnavailable {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/**
 * The answer of Redis if it comes within `ms`. What fails is a `RedisUnavailable`.
 *
 * Kept apart from the client's own timeout for one reason: when this process was busy for long, answers that came in
 * time still lie unread when the timer fires, and calling Redis slow then would be wrong.
 */
export function answeredWithin<T>({ failure }: RedisConnection, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // After what has arrived was read.
      setImmediate(() => reject(new RedisUnavailable(timedOut)));
    }, ms);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        const told = explain(error);
        // Without a connection, the client says of a command only that there is none.
        reject(new RedisUnavailable((told.kind === 'unreachable' ? failure() : null) ?? told));
      },
    );
  });
}
