import type { Registry } from 'prom-client';
import type { WindowName } from '../../domain/quota-limits.ts';
import type { Clock } from '../../base/time.ts';
import type { BanView } from '../admission/ban-rules.ts';
import type { BanChange } from '../admission/ban-source.ts';
import type { Decision } from '../admission/decide.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { RequestObserver } from '../exchange/request-record.ts';
import { addGauge } from '../../telemetry/metrics/scraped-metrics.ts';
import { type Count, CounterTally } from '../../telemetry/metrics/tally.ts';

/** The decision counts of one plan. */
interface PlanTally {
  readonly allow: Count;
  readonly degraded: Count;
  readonly deny: CountByWindow;
  readonly shadowDeny: CountByWindow;
}

type CountByWindow = Readonly<Record<WindowName | 'concurrent' | 'none', Count>>;

const WINDOWS = {
  admitted: 'none',
  minute_exhausted: 'minute',
  day_exhausted: 'day',
  month_exhausted: 'month',
  banned: 'none',
  cost_exceeds_limit: 'none',
} as const;

/** Counts admission decisions, and the bans that this gateway has learned of. */
export class AdmissionMetrics {
  readonly #decisions: CounterTally;
  readonly #bansByStrikes: Count;
  readonly #bansByOperator: Count;
  readonly #byPlan = new Map<string, PlanTally>();
  readonly #running = new RunningBans();

  constructor(registry: Registry, clock: Clock) {
    this.#decisions = new CounterTally(
      registry,
      'tollgate_admission_decisions_total',
      'Admission decisions for requests with a valid key.',
      ['plan', 'window', 'outcome'],
    );
    const started = new CounterTally(
      registry,
      'tollgate_bans_started_total',
      'Automatic bans started by this gateway.',
      ['origin'],
    );
    this.#bansByStrikes = started.child('strikes');
    this.#bansByOperator = started.child('operator');
    const help = 'Active bans that this gateway knows of.';
    addGauge(registry, 'tollgate_bans_active', help, () => this.#running.count(clock()));
  }

  readonly observe: RequestObserver = ({ decision, credential, isAboveConcurrent, outcome }) => {
    if (credential === null) return;
    if (isAboveConcurrent) {
      const tally = this.#planTally(credential.plan);
      (outcome === 'too_many_concurrent_requests' ? tally.deny : tally.shadowDeny).concurrent.value++;
    }
    if (decision === null) return;
    if (!isAboveConcurrent) this.#countOf(decision, this.#planTally(credential.plan)).value++;
    // In shadow mode, `banStarted` only means that a ban would have started.
    if (decision.banStarted && !decision.admitted) this.#bansByStrikes.value++;
    this.#running.note(credential.quotaId, decision.ban);
  };

  /** Counts bans that another gateway started or lifted. Null: some may have been missed. */
  readonly learnBan = (change: BanChange | null): void => {
    if (change !== null) this.#running.note(change.quotaId, change.kind === 'started' ? change.ban : null);
  };

  /** Wraps the store that operators use, to count the bans that they start and lift. */
  observed(store: AdmissionStore): AdmissionStore {
    const ban = async (quotaId: string, durationMs: number): Promise<BanView> => {
      const view = await store.ban(quotaId, durationMs);
      this.#bansByOperator.value++;
      this.#running.note(quotaId, view);
      return view;
    };
    const lift = async (quotaId: string): Promise<BanView | null> => {
      const view = await store.lift(quotaId);
      this.#running.note(quotaId, null);
      return view;
    };
    return {
      admit: (request) => store.admit(request),
      inspect: (quotaId, limits) => store.inspect(quotaId, limits),
      reset: (quotaId, window) => store.reset(quotaId, window),
      close: () => store.close(),
      ban,
      lift,
    };
  }

  #countOf({ admitted, outcome, degraded }: Decision, tally: PlanTally): Count {
    if (!admitted) return tally.deny[WINDOWS[outcome]];
    if (outcome !== 'admitted') return tally.shadowDeny[WINDOWS[outcome]];
    return degraded === true ? tally.degraded : tally.allow;
  }

  #planTally(plan: string): PlanTally {
    let tally = this.#byPlan.get(plan);
    if (tally === undefined) {
      const child = (window: string, outcome: string) => this.#decisions.child(plan, window, outcome);
      const byWindow = (outcome: string) => ({
        minute: child('minute', outcome),
        day: child('day', outcome),
        month: child('month', outcome),
        concurrent: child('concurrent', outcome),
        none: child('none', outcome),
      });
      tally = {
        allow: child('none', 'allow'),
        degraded: child('none', 'degraded'),
        deny: byWindow('deny'),
        shadowDeny: byWindow('shadow_deny'),
      };
      this.#byPlan.set(plan, tally);
    }
    return tally;
  }
}

const MAX_BANS = 100_000;

/** The active bans that this gateway has learned of: quota id → end of the ban, in ms since the Unix epoch. */
class RunningBans {
  /** In the order of the last change. If there are too many entries, the oldest one is dropped. */
  readonly #until = new Map<string, number>();

  note(quotaId: string, ban: BanView | null): void {
    if (this.#until.size > 0) this.#until.delete(quotaId);
    if (ban === null) return;
    this.#until.set(quotaId, ban.until);
    if (this.#until.size > MAX_BANS) this.#until.delete(this.#until.keys().next().value ?? '');
  }

  /** Number of active bans. Also drops bans that have ended. */
  count(now: number): number {
    for (const [quotaId, until] of this.#until) if (until <= now) this.#until.delete(quotaId);
    return this.#until.size;
  }
}
