import { RETRY_SOON } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';

export const MAX_PER_SESSION = 4;
/** Each call may hold a response of 1 MB in memory. */
const MAX_TOTAL = 50;

/** Limits the number of concurrent calls, per session and in total. */
export class RunningCalls {
  readonly #bySession = new Map<string, number>();
  #total = 0;

  /**
   * @throws Refused `too_many_calls` if this session has too many, `overloaded` if all sessions together have too many
   */
  async run<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const sessionCalls = this.#bySession.get(sessionId) ?? 0;
    if (sessionCalls >= MAX_PER_SESSION)
      throw new Refused('too_many_calls', { headers: { 'Retry-After': RETRY_SOON } });
    if (this.#total >= MAX_TOTAL) throw new Refused('overloaded', { headers: { 'Retry-After': RETRY_SOON } });
    this.#bySession.set(sessionId, sessionCalls + 1);
    this.#total++;
    try {
      return await work();
    } finally {
      this.#total--;
      const remainingCalls = (this.#bySession.get(sessionId) ?? 1) - 1;
      if (remainingCalls === 0) this.#bySession.delete(sessionId);
      else this.#bySession.set(sessionId, remainingCalls);
    }
  }
}
