import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createTextSharing } from '../../../base/share-texts.ts';
import type { Clock } from '../../../base/time.ts';
import type { CheckedRequest, ValidationObserver } from '../../../data-plane/boundary-types.ts';
import { nameRule } from '../../../openapi/validation/validation.ts';
import { findStart } from '../store/calendar.ts';
import { nameForCandidate } from '../store/candidate-name.ts';
import { OTHER_KEY, type ViolationKind, type ViolationRow } from '../store/history-store.ts';

/**
 * Maximum number of counts in memory. Each takes about 300 bytes. Beyond this number, keys are counted together, and
 * all rules as `other`.
 */
const MAX_COUNTS = 50_000;
/** Maximum number including the counts of keys that are counted together. */
const MAX_WITH_OTHER = 60_000;
/**
 * Maximum number of rows that one gateway adds to the database for one hour. Beyond this number, requests are counted
 * as if there was no more room in memory. Each row is remembered for its hour and takes about 60 bytes.
 */
const MAX_ROWS_PER_HOUR = 200_000;
/** Likewise for one day (UTC), so that reports of weeks stay within their time limit and the database has a bound. */
const MAX_ROWS_PER_DAY = 1_000_000;
/** Maximum number of rules per key and operation. Further rules are counted as `other`. */
export const MAX_RULES = 50;
/** Maximum number of pairs of a key and an operation whose rules are remembered after they are written. */
const MAX_REMEMBERED = 20_000;
/** Maximum length of a rule with its place. PostgreSQL cannot index names of about 2700 bytes. */
const MAX_RULE_LENGTH = 600;

/** The rule under which further rules are counted. */
export const OTHER_RULE = 'other';

interface Count {
  readonly row: Pick<ViolationRow, 'keyId' | 'operation' | 'kind' | 'hour' | 'rule'>;
  requests: number;
  refused: number;
  firstAt: number;
  lastAt: number;
}

interface Limits {
  readonly maxCounts: number;
  readonly maxWithOther: number;
  readonly maxRowsPerHour: number;
  readonly maxRowsPerDay: number;
}

const LIMITS: Limits = {
  maxCounts: MAX_COUNTS,
  maxWithOther: MAX_WITH_OTHER,
  maxRowsPerHour: MAX_ROWS_PER_HOUR,
  maxRowsPerDay: MAX_ROWS_PER_DAY,
};

/** Counts requests that do not fit the document of their service, until they are written to the history. */
export class ViolationCounts {
  /** Requests that were not counted, because there was no room. */
  lost = 0;
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #counts = new Map<string, Count>();
  readonly #shareText = createTextSharing();
  /** The rules of each key and operation. They are remembered longer than their counts, to limit the rules. */
  readonly #rules = new LRUCache<string, Set<string>>({ max: MAX_REMEMBERED });

  /** Hashes of the rows of the current hour. */
  readonly #rowsOfHour = new Set<string>();
  #hour = 0;
  #day = 0;
  /** Rows of the earlier hours of the day. */
  #earlierRowsOfDay = 0;

  constructor(clock: Clock, limits: Partial<Limits> = {}) {
    this.#clock = clock;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Counts that wait to be taken. */
  get size(): number {
    return this.#counts.size;
  }

  /** Time of the first request that is not taken yet, in ms since the Unix epoch; null if there is none. */
  get oldestAt(): number | null {
    const [oldest] = this.#counts.values();
    return oldest === undefined ? null : oldest.firstAt;
  }

  readonly observe: ValidationObserver = (request) => {
    const now = this.#clock();
    const { broken, mode, unchecked } = request;
    if (broken.length > 0) {
      const kind = mode === 'candidate' ? 'candidate' : 'document';
      this.#count(request, kind, null, now);
      // Further rules are counted together, so a request can break `other` several times.
      const rules = new Set(broken.map((each) => this.#limitRule(request, kind, this.#shareText(nameRule(each)))));
      for (const rule of rules) this.#count(request, kind, rule, now);
    }
    // The candidate is another document for the same bodies.
    if (unchecked !== null && mode !== 'candidate') this.#count(request, 'unchecked', unchecked, now);
  };

  /** Removes up to `limit` counts, oldest first, and returns them. */
  take(limit: number): ViolationRow[] {
    const taken: ViolationRow[] = [];
    for (const [id, { row, ...figures }] of this.#counts) {
      if (taken.length === limit) break;
      taken.push({ ...row, ...figures });
      this.#counts.delete(id);
    }
    return taken;
  }

  #count(request: CheckedRequest, kind: ViolationKind, rule: string | null, now: number): void {
    const { credential, mode } = request;
    const hour = findStart('hour', now);
    const keyId = credential === null ? null : credential.keyId;
    const count = this.#find({ keyId, operation: nameOperation(request, kind), kind, hour, rule }, now);
    if (count === null) {
      if (rule === null) this.lost++;
      return;
    }
    count.requests++;
    if (mode === 'enforce' && kind === 'document') count.refused++;
    // The clock may be set back.
    count.firstAt = Math.min(count.firstAt, now);
    count.lastAt = Math.max(count.lastAt, now);
  }

  #find(row: Count['row'], now: number): Count | null {
    const known = this.#counts.get(identify(row));
    if (known !== undefined) return known;
    if (this.#counts.size < this.#limits.maxCounts && this.#takeRow(row)) return this.#add(row, now);
    const others = {
      ...row,
      keyId: row.keyId === null ? null : OTHER_KEY,
      rule: row.rule === null || row.kind === 'unchecked' ? row.rule : OTHER_RULE,
    };
    const together = this.#counts.get(identify(others));
    if (together !== undefined) return together;
    return this.#counts.size < this.#limits.maxWithOther ? this.#add(others, now) : null;
  }

  /** @returns whether the hour and the day have room for the row. Rows that are counted together are not limited: they are few. */
  #takeRow(row: Count['row']): boolean {
    if (row.hour !== this.#hour) {
      const day = findStart('day', row.hour);
      this.#earlierRowsOfDay = day === this.#day ? this.#earlierRowsOfDay + this.#rowsOfHour.size : 0;
      this.#day = day;
      this.#hour = row.hour;
      this.#rowsOfHour.clear();
    }
    const hash = createHash('sha256').update(identify(row)).digest('base64url').slice(0, 12);
    const { maxRowsPerHour, maxRowsPerDay } = this.#limits;
    const { size } = this.#rowsOfHour;
    const isFull = size >= maxRowsPerHour || this.#earlierRowsOfDay + size >= maxRowsPerDay;
    if (isFull && !this.#rowsOfHour.has(hash)) return false;
    this.#rowsOfHour.add(hash);
    return true;
  }

  #add(row: Count['row'], now: number): Count {
    const count = { row, requests: 0, refused: 0, firstAt: now, lastAt: now };
    this.#counts.set(identify(row), count);
    return count;
  }

  #limitRule(request: CheckedRequest, kind: ViolationKind, rule: string): string {
    if (rule.length > MAX_RULE_LENGTH) return OTHER_RULE;
    const id = `${kind} ${request.credential?.keyId ?? ''} ${nameOperation(request, kind)}`;
    let rules = this.#rules.get(id);
    if (rules === undefined) this.#rules.set(id, (rules = new Set()));
    if (rules.has(rule)) return rule;
    if (rules.size >= MAX_RULES) return OTHER_RULE;
    rules.add(rule);
    return rule;
  }
}

function nameOperation({ operation, candidate }: CheckedRequest, kind: ViolationKind): string {
  return kind === 'candidate' && candidate !== null ? nameForCandidate(candidate, operation.id) : operation.id;
}

function identify({ keyId, operation, kind, hour, rule }: Count['row']): string {
  return JSON.stringify([keyId, operation, kind, hour, rule]);
}
