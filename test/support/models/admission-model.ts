import type { BanPolicy } from '../../../src/data-plane/admission/ban-rules.ts';
import type { BanView } from '../../../src/data-plane/admission/ban-rules.ts';
import type { Decision } from '../../../src/data-plane/admission/decide.ts';
import type { Limits, Mode, WindowName } from '../../../src/domain/quota-limits.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * `past` lists the windows that were over when the clock was corrected. They stay over, even if their time comes again.
 */
type Event = { at: number; past?: { minute: boolean; day: boolean; strikes: boolean } } & (
  | { kind: 'charge'; cost: number }
  | { kind: 'refusal'; minute: boolean; day: boolean; patient: boolean }
  | { kind: 'strike' }
  | { kind: Mark }
);

type Mark = 'reset' | 'reset minute' | 'reset day' | 'reset month' | 'pardon' | 'mode';

/** A charge or refusal in a calendar month. Months are counted from year 0. */
interface InMonth {
  readonly month: number;
  readonly at: number;
  readonly cost: number;
}

interface Ban {
  from: number;
  until: number;
  level: number;
  manual: boolean;
}

/**
 * A slow reference implementation of admission. It keeps every event, and derives each decision from the events. It was
 * written independently of `decide.ts`, to compare the two.
 */
export class AdmissionModel {
  readonly #policy: BanPolicy;
  readonly #events: Event[] = [];
  readonly #bans: Ban[] = [];
  #now = 0;
  #mode: Mode = 'enforce';
  #lastRefusal = -Infinity;
  /** The charges and refusals that occurred while the limits included a month. */
  #charged: InMonth[] = [];
  #refused: InMonth[] = [];

  constructor(policy: BanPolicy) {
    this.#policy = policy;
  }

  admit(now: number, cost: number, limits: Limits, mode: Mode): Decision {
    this.#tick(now);
    if (mode !== this.#mode) this.#note('mode');
    if (limits.month !== undefined) {
      this.#charged = this.#inThisMonth(this.#charged);
      this.#refused = mode === this.#mode ? this.#inThisMonth(this.#refused) : [];
    }
    this.#mode = mode;

    const ban = this.#runningBan();
    const possible = cost <= limits.minute;
    const lacking: WindowName[] = [];
    if (possible && this.#minute().used + cost > limits.minute) lacking.push('minute');
    if (possible && this.#dayUsed() + cost > limits.day) lacking.push('day');
    if (possible && this.#monthUsed() + cost > (limits.month ?? Infinity)) lacking.push('month');
    lacking.sort((a, b) => this.#resetAt(a) - this.#resetAt(b));

    let outcome: Decision['outcome'] = 'admitted';
    if (ban) outcome = 'banned';
    else if (!possible) outcome = 'cost_exceeds_limit';
    else if (lacking.includes('month')) outcome = 'month_exhausted';
    else if (lacking.includes('day')) outcome = 'day_exhausted';
    else if (lacking.includes('minute')) outcome = 'minute_exhausted';

    const letThrough = outcome === 'admitted' || (mode === 'shadow' && !ban?.manual);
    let banStarted = false;
    if (outcome.endsWith('_exhausted')) banStarted = this.#refuse(lacking, limits);
    // Refusals within the grace period count as one, at the time of the first.
    if (outcome !== 'admitted' && this.#now - this.#lastRefusal > this.#policy.graceMs) this.#lastRefusal = this.#now;
    const strikes = this.#strikes();
    if (banStarted) {
      outcome = 'banned';
      this.#note('pardon');
      if (mode === 'enforce') this.#banForStrikes();
    }

    let retryAt = 0;
    if (!letThrough && outcome !== 'cost_exceeds_limit') {
      retryAt = Math.max(this.#runningBan()?.until ?? 0, ...lacking.map((name) => this.#resetAt(name)));
    }
    if (letThrough) {
      this.#events.push({ kind: 'charge', at: this.#now, cost });
      if (limits.month !== undefined) this.#charged.push({ month: monthNumber(this.#now), at: this.#now, cost });
    }
    const usage = this.#usage(limits, letThrough || !possible ? 1 : cost);
    return { ...usage, admitted: letThrough, outcome, retryAt, strikes, banStarted };
  }

  ban(now: number, duration: number): void {
    this.#tick(now);
    this.#replaceBan({ from: this.#now, until: this.#now + duration, level: this.#level(), manual: true });
    this.#note('pardon');
  }

  lift(now: number): void {
    this.#tick(now);
    const ban = this.#runningBan();
    if (ban) ban.until = this.#now;
    this.#note('pardon');
  }

  reset(now: number, window?: WindowName): void {
    this.#tick(now);
    this.#note(window === undefined ? 'reset' : `reset ${window}`);
    if (window === undefined || window === 'month') [this.#charged, this.#refused] = [[], []];
  }

  #tick(now: number): void {
    if (now < this.#now - 5000) this.#correct(now);
    this.#now = Math.max(this.#now, now);
  }

  /** Corrects a clock that was ahead: moves future events to now, and keeps the remaining time of active bans. */
  #correct(now: number): void {
    const inMinute = new Set(this.#minute().events);
    const today = new Set(this.#today(this.#events));
    const counting = new Set(this.#countingStrikes());
    for (const event of this.#events) {
      event.past = { minute: !inMinute.has(event), day: !today.has(event), strikes: !counting.has(event) };
      event.at = Math.min(event.at, now);
    }
    const ban = this.#bans.at(-1);
    if (ban) {
      ban.until = this.#now < ban.until ? now + (ban.until - this.#now) : Math.min(ban.until, now);
      ban.from = Math.min(ban.from, now);
    }
    this.#lastRefusal = Math.min(this.#lastRefusal, now);
    this.#now = now;
  }

  /** Charges by a clock that was ahead count in the current month. */
  #inThisMonth(events: InMonth[]): InMonth[] {
    const month = monthNumber(this.#now);
    return events
      .filter((event) => event.month >= month)
      .map(({ at, cost }) => ({ month, at: Math.min(at, this.#now), cost }));
  }

  #monthUsed(): number {
    return this.#inThisMonth(this.#charged).reduce((sum, { cost }) => sum + cost, 0);
  }

  #note(kind: Mark): void {
    this.#events.push({ kind, at: this.#now });
  }

  #since(...kinds: Event['kind'][]): Event[] {
    return this.#events.slice(this.#events.findLastIndex((event) => kinds.includes(event.kind)) + 1);
  }

  /** Finds the current minute window and its events. */
  #minute(): { start: number; used: number; events: Event[] } {
    let window = { start: this.#now, used: 0, events: [] as Event[] };
    for (const event of this.#since('reset', 'reset minute')) {
      if (event.past?.minute) continue;
      if (window.used > 0 && event.at >= window.start + MINUTE) window = { start: event.at, used: 0, events: [] };
      if (event.kind === 'charge') {
        if (window.used === 0) window.start = event.at;
        window.used += event.cost;
      }
      window.events.push(event);
    }
    const over = window.used === 0 || this.#now >= window.start + MINUTE;
    return over ? { start: this.#now, used: 0, events: [] } : window;
  }

  #today(events: Event[]): Event[] {
    return events.filter(({ at, past }) => !past?.day && Math.floor(at / DAY) === Math.floor(this.#now / DAY));
  }

  #dayUsed(): number {
    return this.#today(this.#since('reset', 'reset day')).reduce(
      (sum, event) => sum + (event.kind === 'charge' ? event.cost : 0),
      0,
    );
  }

  #resetAt(name: WindowName): number {
    if (name === 'minute') return this.#minute().start + MINUTE;
    return name === 'day' ? (Math.floor(this.#now / DAY) + 1) * DAY : startOfMonth(monthNumber(this.#now) + 1);
  }

  /** Finds the first refusal of a window. After a long pause, a refusal is a first one again. */
  #firstRefusal(name: WindowName): { at: number } | undefined {
    if (name === 'month') return this.#refused[0];
    const events = this.#since('reset', 'mode', `reset ${name}`);
    const inWindow =
      name === 'day' ? this.#today(events) : this.#minute().events.filter((event) => events.includes(event));
    const refusals = inWindow.filter((event) => event.kind === 'refusal' && event[name]);
    return refusals.findLast((event) => event.kind === 'refusal' && event.patient) ?? refusals[0];
  }

  /** @returns true if this refusal reaches the strike threshold */
  #refuse(lacking: WindowName[], limits: Limits): boolean {
    // The windows are sorted by reset time. If both reset at the same time, the day counts.
    const waitedFor = lacking.at(-1)!;
    const first = this.#firstRefusal(waitedFor);
    const at = this.#now;
    const patient = at - this.#lastRefusal >= this.#policy.patienceMs;
    const [minute, day] = [lacking.includes('minute'), lacking.includes('day')];
    this.#events.push({ kind: 'refusal', at, minute, day, patient });
    if (lacking.includes('month')) {
      if (patient) this.#refused = [];
      this.#refused.push({ month: monthNumber(at), at, cost: 0 });
    }
    if (patient || !first || at <= first.at + this.#policy.graceMs) return false;
    this.#events.push({ kind: 'strike', at });
    return this.#strikes() >= Math.max(this.#policy.strikes, Math.ceil(limits.minute / 10));
  }

  #strikes(): number {
    return this.#countingStrikes().length;
  }

  #countingStrikes(): Event[] {
    let counting: Event[] = [];
    const over = (at: number) => counting.length > 0 && at > counting[0]!.at + this.#policy.withinMs;
    for (const event of this.#since('reset', 'reset minute', 'reset day', 'reset month', 'pardon', 'mode')) {
      if (event.kind !== 'strike' || event.past?.strikes) continue;
      if (over(event.at)) counting = [];
      counting.push(event);
    }
    return over(this.#now) ? [] : counting;
  }

  #runningBan(): Ban | undefined {
    const last = this.#bans.at(-1);
    return last && this.#now < last.until ? last : undefined;
  }

  #level(): number {
    const last = this.#bans.at(-1);
    return last && this.#now < last.until + this.#policy.forgiveAfterMs ? last.level : 0;
  }

  #banForStrikes(): void {
    const { durationsMs } = this.#policy;
    const level = this.#level();
    const until = this.#now + (durationsMs[level] ?? durationsMs.at(-1)!);
    this.#replaceBan({ from: this.#now, until, level: level + 1, manual: false });
  }

  #replaceBan(ban: Ban): void {
    this.#bans.push(ban);
  }

  #usage(limits: Limits, need: number) {
    const window = (name: WindowName, limit: number, used: number) => ({
      limit,
      used,
      remaining: Math.max(0, limit - used),
      resetAt: this.#resetAt(name),
    });
    const minute = window('minute', limits.minute, this.#minute().used);
    const day = window('day', limits.day, this.#dayUsed());
    const startsAt = startOfMonth(monthNumber(this.#now));
    const month =
      limits.month === undefined ? undefined : { ...window('month', limits.month, this.#monthUsed()), startsAt };
    const views = [
      { name: 'minute' as const, ...minute },
      { name: 'day' as const, ...day },
      ...(month === undefined ? [] : [{ name: 'month' as const, ...month }]),
    ];
    const out = views.filter(({ remaining }) => remaining < need);
    const candidates = out.length > 0 ? out : views;
    const least = Math.min(...candidates.map(({ remaining }) => remaining));
    const binding = candidates
      .filter(({ remaining }) => out.length > 0 || remaining === least)
      .reduce((best, view) => (view.resetAt >= best.resetAt ? view : best));
    const ban: BanView | undefined = this.#runningBan();
    return { now: this.#now, minute, day, month, binding: binding.name, ban: ban ? { ...ban } : null };
  }
}

function monthNumber(time: number): number {
  const [year, month] = new Date(time).toISOString().split('-').map(Number);
  return year! * 12 + month! - 1;
}

function startOfMonth(number: number): number {
  const [year, month] = [Math.floor(number / 12), (number % 12) + 1];
  return Date.parse(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01T00:00:00Z`);
}
