import type { NewAuditEntry } from './audit-record.ts';
import type { RedisNames } from './redis-names.ts';
import { entryJson, fixedDigits, keyJson, planJson } from './redis-records.ts';
import type { KeptKey } from './redis-records.ts';
import type { Invalidation, Key, NewKey, Plan } from './registry.ts';

/** By then the next lot must be written, or the batch is given up. */
const BATCH_LEASE_MS = 60_000;

type RedisType = 's' | 'h' | 'z' | 'x';

/**
 * One change, as what must hold and what is to be written. `redis-commit.lua` makes it, or nothing of it. Revisions are
 * given out there: an entry is referred to by its number within the change, from 0.
 */
export class Commit {
  readonly #names: RedisNames;
  readonly #numbers = new Map<string, number>();
  #types = '';
  #entries = 0;
  readonly #sections = {
    guards: [] as string[][],
    entries: [] as string[][],
    claims: [] as string[][],
    plans: [] as string[][],
    keys: [] as string[][],
    pending: [] as string[][],
  };
  #hashes: string[] = [];
  #all = false;

  constructor(names: RedisNames) {
    this.#names = names;
    for (const key of [names.sequence, names.changes]) this.#key(key, 's');
    for (const key of [names.plans, names.ids]) this.#key(key, 'h');
    for (const key of [names.audit, names.auditTimes]) this.#key(key, 'x');
    this.#key(names.auditSkew, 's');
  }

  get isEmpty(): boolean {
    return this.#entries === 0 && this.#sections.claims.length === 0;
  }

  /** What was touched, for those who cache it. */
  get touched(): readonly Invalidation[] {
    if (this.#sections.pending.length > 0) return [];
    return this.#all ? [{ kind: 'all' }] : this.#hashes.map((hash) => ({ kind: 'key', hash }));
  }

  /** Its keys are not there yet: others of the batch are to come first. */
  stageIn(batch: string): void {
    this.#sections.pending.push([this.#key(this.#names.pending, 's'), batch, String(BATCH_LEASE_MS)]);
  }

  /** The plan must still be as it was read; null: there must be none. */
  needPlan(id: string, revision: number | null): void {
    this.#sections.guards.push(['plan', id, revision === null ? '' : fixedDigits(revision)]);
  }

  needKey({ hash, revision }: Key): void {
    this.#sections.guards.push(['record', this.#key(this.#names.record(hash), 's'), fixedDigits(revision)]);
  }

  /** No key that is not revoked may be on the plan. An index without members does not exist. */
  needUnused(plan: string): void {
    for (const status of ['active', 'disabled'] as const) {
      this.#sections.guards.push(['unused', this.#key(this.#names.index(status, { plan }), 'z')]);
    }
  }

  needNoPlans(): void {
    this.#sections.guards.push(['noPlans']);
  }

  claimSeeding(): void {
    const key = this.#key(this.#names.seeded, 's');
    this.#sections.guards.push(['unclaimed', key]);
    this.#sections.claims.push([key, '1']);
  }

  /** @returns the number of the entry */
  addEntry(entry: NewAuditEntry): number {
    const ofActor = this.#key(this.#names.auditOfActor(entry.actor), 'x');
    const ofAction = this.#key(this.#names.auditOfAction(entry.action), 'x');
    const ofSubject = this.#key(this.#names.auditOfSubject(entry.subject), 'z');
    this.#sections.entries.push([entryJson(entry), String(toMillis(entry.at)), ofActor, ofAction, ofSubject]);
    return this.#entries++;
  }

  putPlan(plan: Plan, entry: number): void {
    this.#sections.plans.push([plan.id, String(entry + 1), planJson(plan)]);
    this.#all = true;
  }

  removePlan(id: string): void {
    this.#sections.plans.push([id, '0', '']);
    this.#all = true;
  }

  addKey(key: NewKey, entry: number): void {
    const record = this.#key(this.#names.record(key.hash), 's');
    this.#sections.guards.push(['absent', record], ['newId', key.id]);
    this.#writeKey({ ...key, rotatedTo: null }, entry, key.id, this.#indexesOf(key), []);
  }

  changeKey({ key }: KeptKey, next: Key, entry: number): void {
    const before = this.#indexesOf(key);
    const after = this.#indexesOf(next);
    const joined = after.filter((index) => !before.includes(index));
    const left = before.filter((index) => !after.includes(index));
    this.#writeKey(next, entry, '', joined, left);
  }

  #writeKey(
    key: Omit<Key, 'revision' | 'lastUsedAt'>,
    entry: number,
    newId: string,
    joined: readonly string[],
    left: readonly string[],
  ): void {
    const record = this.#key(this.#names.record(key.hash), 's');
    const indexes = [String(joined.length), ...joined, String(left.length), ...left];
    this.#sections.keys.push([record, String(entry + 1), keyJson(key), key.hash, newId, ...indexes]);
    this.#hashes.push(key.hash);
  }

  #indexesOf(key: Pick<Key, 'status' | 'plan' | 'owner'>): string[] {
    return this.#names.indexesOf(key).map((index) => this.#key(index, 'z'));
  }

  /** The number of a key among those of the script. */
  #key(name: string, type: RedisType): string {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(name, number);
      this.#types += type;
    }
    return String(number);
  }

  /** What the script is called with. */
  call(head: string): { keys: string[]; args: string[] } {
    const { guards, entries, claims, plans, keys, pending } = this.#sections;
    const { touched } = this;
    const text = touched.map((what) => (what.kind === 'all' ? 'all' : what.hash)).join(' ');
    const sections = [guards, entries, claims, plans, keys, pending, touched.length > 0 ? [[text]] : []];
    const args = sections.flatMap((items) => [String(items.length), ...items.flat()]);
    return { keys: [...this.#numbers.keys()], args: [this.#types, this.#names.channel, head, ...args] };
  }
}

function toMillis(at: number): number {
  return Math.min(Math.max(0, Math.trunc(at)), Number.MAX_SAFE_INTEGER);
}
