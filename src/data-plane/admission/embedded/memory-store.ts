import type { Clock, Millis } from '../../../base/time.ts';
import { ban, type BanView, lift, type BanPolicy, toBanView, computeExpiry } from '../ban-rules.ts';
import { decide, type Decision } from '../decide.ts';
import { initialState, type State } from '../state.ts';
import { reset, advance, steadyTime } from '../windows.ts';
import { inspect, type Usage } from '../quota-usage.ts';
import type { Limits, WindowName } from '../../../domain/quota-limits.ts';
import type { AdmissionRequest, AdmissionStore } from '../store.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';

/** Persists the changes of a store. It is called before the store returns the result of a call. */
export interface Journal {
  /** Persists a state soon. `state` is undefined if the quota has expired and can be deleted. */
  scheduleWrite(quotaId: string, state: State | undefined): void;
  /** Persists immediately that a ban was imposed or lifted, or that a quota was reset. @returns false on failure */
  keep(quotaId: string, state: State): boolean;
  /** Persists everything that changed. */
  close(): void;
}

interface MemoryStoreOptions {
  readonly clock: Clock;
  readonly policy: BanPolicy;
  /** Without a journal, nothing survives the process. */
  readonly journal?: Journal;
}

/**
 * Number of quotas checked for expiry per request. A request adds at most one quota, so expired quotas are removed
 * faster than new ones arrive.
 */
const SWEEPS_PER_REQUEST = 2;

/**
 * Admission within one process. It is synchronous and therefore atomic. If `graceMs` of the policy is infinite, there are
 * no strikes.
 */
export class MemoryStore implements AdmissionStore {
  readonly #states = new Map<string, State>();
  readonly #clock: Clock;
  readonly #policy: BanPolicy;
  readonly #journal: Journal | undefined;
  #now = 0;
  #sweep = this.#states.entries();

  constructor({ clock, policy, journal }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#policy = policy;
    this.#journal = journal;
  }

  /** Number of quotas in memory, including expired ones that are not removed yet. */
  get size(): number {
    return this.#states.size;
  }

  /** Loads a state from elsewhere, such as from before a restart, without notifying the journal. */
  load(quotaId: string, state: State): void {
    this.#states.set(quotaId, state);
  }

  admit({ quotaId, cost, limits, mode }: AdmissionRequest): Decision {
    const now = this.#readTime();
    this.#dropExpired(now);
    const { state, decision } = decide(this.#findState(quotaId), now, cost, limits, this.#policy, mode);
    this.#states.set(quotaId, state);
    // A ban that could not be persisted applies anyway, and is persisted with the counters when writing works again.
    const isPersisted = decision.banStarted && this.#journal?.keep(quotaId, state);
    if (!isPersisted) this.#journal?.scheduleWrite(quotaId, state);
    return decision;
  }

  inspect(quotaId: string, limits: Limits): Usage {
    return inspect(this.#findState(quotaId), this.#readTime(), limits);
  }

  ban(quotaId: string, durationMs: number): BanView {
    const state = ban(this.#findState(quotaId), this.#readTime(), durationMs, this.#policy);
    this.#persist(quotaId, state);
    return { from: state.banFrom, until: state.banUntil, level: state.banLevel, manual: true };
  }

  lift(quotaId: string): BanView | null {
    const now = this.#readTime();
    const before = advance(this.#findState(quotaId), now);
    this.#persist(quotaId, lift(before, now));
    return toBanView(before);
  }

  reset(quotaId: string, window?: WindowName): void {
    this.#persist(quotaId, reset(this.#findState(quotaId), this.#readTime(), window));
  }

  async close(): Promise<void> {
    this.#journal?.close();
  }

  /**
   * Reads the time for a decision. It only goes backward when the clock is corrected. Otherwise, a quota that was removed
   * as expired could be used again in the same window.
   */
  #readTime(): Millis {
    this.#now = steadyTime(this.#now, this.#clock());
    return this.#now;
  }

  #findState(quotaId: string): State {
    return this.#states.get(quotaId) ?? initialState;
  }

  #persist(quotaId: string, state: State): void {
    if (this.#journal?.keep(quotaId, state) === false) {
      throw new StoreUnavailable('the change could not be written and was not applied');
    }
    this.#states.set(quotaId, state);
  }

  #dropExpired(now: Millis): void {
    for (let i = 0; i < SWEEPS_PER_REQUEST; i++) {
      const { value, done } = this.#sweep.next();
      if (done) {
        this.#sweep = this.#states.entries();
        return;
      }
      const [quotaId, state] = value;
      if (computeExpiry(state, this.#policy) > now) continue;
      this.#states.delete(quotaId);
      this.#journal?.scheduleWrite(quotaId, undefined);
    }
  }
}
