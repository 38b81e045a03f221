import { type Clock, HOUR_MS, type Millis, MINUTE_MS } from '../../base/time.ts';
import type { CallerRefusal } from '../credentials/caller-source.ts';
import { OUTCOMES, type TokenCounts, type VerificationOutcome } from './token-metrics.ts';

/** Why the caller of a valid token was refused. */
export type RefusedCaller =
  | CallerRefusal
  /** The caller is not registered, and `register` is false. */
  | 'not_registered'
  /** More callers were new within a minute than one gateway creates. */
  | 'too_fast';

export type CountsByOutcome = Readonly<Record<VerificationOutcome, number>>;

/** The counts of this gateway for one issuer. */
export interface VerificationReport {
  /** When the counts began, in ms since the Unix epoch. */
  readonly since: Millis;
  readonly total: CountsByOutcome;
  /** The counts of the last hour, exact to a minute. `since` says when they begin: an hour ago, unless the gateway is younger. */
  readonly lastHour: { readonly since: Millis; readonly counts: CountsByOutcome };
  /** Requests by the fault of their token, most frequent first: phrases that follow “The token”. */
  readonly invalid: readonly Counted[];
  /** Requests with a valid token whose caller was refused, most frequent first. */
  readonly refusedCallers: readonly (Counted & { readonly reason: RefusedCaller })[];
}

interface Counted {
  readonly reason: string;
  readonly count: number;
}

interface Snapshot {
  readonly at: Millis;
  readonly counts: CountsByOutcome;
}

export const SAMPLE_MS = MINUTE_MS;
/** The snapshots of an hour. */
const MAX_SNAPSHOTS = HOUR_MS / SAMPLE_MS;
/** The faults are a few dozen phrases, some of which name configured claims, which a reload may change. */
const MAX_REASONS = 100;

/**
 * Counts what the verifications of one issuer found. The counts of the last hour are the difference to a snapshot, so
 * that a request only increments a number.
 */
export class VerificationTally {
  readonly counts: TokenCounts;
  readonly #since: Millis;
  readonly #clock: Clock;
  readonly #faults = new Map<string, number>();
  readonly #refusedCallers = new Map<RefusedCaller, number>();
  /** Oldest first. */
  readonly #snapshots: Snapshot[];

  constructor(counts: TokenCounts, clock: Clock) {
    this.counts = counts;
    this.#clock = clock;
    this.#since = clock();
    this.#snapshots = [{ at: this.#since, counts: this.#read() }];
  }

  /** @param fault a phrase that contains nothing of the token */
  noteFault(fault: string): void {
    addOne(this.#faults, fault);
  }

  noteRefusedCaller(reason: RefusedCaller): void {
    addOne(this.#refusedCallers, reason);
  }

  /** Must be called once in `SAMPLE_MS`. */
  sample(): void {
    this.#snapshots.push({ at: this.#clock(), counts: this.#read() });
    if (this.#snapshots.length > MAX_SNAPSHOTS) this.#snapshots.shift();
  }

  report(): VerificationReport {
    const total = this.#read();
    const [{ at, counts } = { at: this.#since, counts: total }] = this.#snapshots;
    const lastHour = mapOutcomes((outcome) => total[outcome] - counts[outcome]);
    return {
      since: this.#since,
      total,
      lastHour: { since: at, counts: lastHour },
      invalid: toReasons(this.#faults),
      refusedCallers: toReasons(this.#refusedCallers),
    };
  }

  #read(): CountsByOutcome {
    return mapOutcomes((outcome) => this.counts[outcome].value);
  }
}

function mapOutcomes(countOf: (outcome: VerificationOutcome) => number): CountsByOutcome {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, countOf(outcome)])) as CountsByOutcome;
}

function addOne<Reason extends string>(counts: Map<Reason, number>, reason: Reason): void {
  const count = counts.get(reason);
  if (count !== undefined || counts.size < MAX_REASONS) counts.set(reason, (count ?? 0) + 1);
}

function toReasons<Reason extends string>(counts: ReadonlyMap<Reason, number>) {
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((one, other) => other.count - one.count);
}
