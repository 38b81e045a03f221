import { RETRY_SOON } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';

export const MAX_PER_SESSION = 4;
/** Each call may hold a response of 1 MB in memory. */
const MAX_IN_ALL = 50;

/** Limits the number of concurrent calls, per session and in total. */
export class RunningCalls {
  readonly #bySession = new Map<string, number>();
  #all = 0;

  /**
   * @throws Refused `too_many_calls` if this session has too many, `overloaded` if all sessions together have too many
   */
  async run<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const own = this.#bySession.get(sessionId) ?? 0;
    if (own >= MAX_PER_SESSION) throw new Refused('too_many_calls', { headers: { 'Retry-After': RETRY_SOON } });
    if (this.#all >= MAX_IN_ALL) throw new Refused('overloaded', { headers: { 'Retry-After': RETRY_SOON } });
    this.#bySession.set(sessionId, own + 1);
    this.#all++;
    try {
      return await work();
    } finally {
      this.#all--;
      const left = (this.#bySession.get(sessionId) ?? 1) - 1;
      if (left === 0) this.#bySession.delete(sessionId);
      else this.#bySession.set(sessionId, left);
    }
  }
}
