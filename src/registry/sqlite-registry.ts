import { setImmediate } from 'node:timers/promises';
import type { EmbeddedDatabase } from '../storage/database.ts';
import { difference, entryOf, recorded, updateAction } from './audit-record.ts';
import type { NewAuditEntry } from './audit-record.ts';
import type {
  AuditEntry,
  AuditFilter,
  Change,
  Invalidation,
  Key,
  KeyFilter,
  KeyPatch,
  NewKey,
  Page,
  PageRequest,
  Plan,
  Registry,
  StoredPlan,
  Successor,
} from './registry.ts';
import {
  checkNewKey,
  checkPlan,
  checkRevision,
  keyNotFound,
  patched,
  planInUse,
  planNotFound,
  rotated,
} from './rules.ts';
import { auditTable } from './sqlite-audit.ts';
import { keyTable } from './sqlite-keys.ts';
import { planTable } from './sqlite-plans.ts';
import { speakingOurErrors, transact } from './sqlite-transaction.ts';

/** Some milliseconds of work; requests are served between one lot and the next. */
const TOUCHED_AT_ONCE = 1000;
const ALL: readonly Invalidation[] = [{ kind: 'all' }];

/** Keys and plans in the embedded database. It is the only process that uses the file, and so hears of every change. */
export class SqliteRegistry implements Registry {
  readonly #database: EmbeddedDatabase;
  readonly #plans;
  readonly #keys;
  readonly #audit;
  readonly #claim;
  readonly #listeners: ((what: Invalidation) => void)[] = [];

  /** The database stays open when the registry is closed: whoever opened it may keep other things in it. */
  constructor(database: EmbeddedDatabase) {
    this.#database = database;
    this.#plans = planTable(database.sqlite);
    this.#keys = keyTable(database.sqlite);
    this.#audit = auditTable(database.sqlite);
    this.#claim = database.sqlite.prepare('INSERT OR IGNORE INTO claims (name, at) VALUES (?, ?)');
  }

  async seedPlans(plans: readonly Plan[], change: Change): Promise<boolean> {
    return this.#change((touched) => {
      if (this.#claim.run('plans.seed', change.at).changes === 0) return false;
      if (this.#plans.all().length > 0) return false;
      for (const plan of plans) {
        checkPlan(plan);
        this.#putPlan(plan, entryOf(change, 'plans.seed', plan.id, { after: recorded(plan) }));
      }
      touched.push(...ALL);
      return true;
    });
  }

  async listPlans(): Promise<readonly StoredPlan[]> {
    return speakingOurErrors(() => this.#plans.all());
  }

  async getPlan(id: string): Promise<StoredPlan | null> {
    return speakingOurErrors(() => this.#plans.get(id));
  }

  async putPlan(plan: Plan, change: Change, expected?: number): Promise<StoredPlan> {
    return this.#change((touched) => {
      const current = this.#plans.get(plan.id);
      checkRevision(`plan ${plan.id}`, current?.revision ?? 0, expected);
      checkPlan(plan);
      const what = current === null ? { after: recorded(plan) } : difference<Plan>(current, plan);
      if (current !== null && what === null) return current;
      if (current !== null && current.custom !== plan.custom && this.#keys.usePlan(plan.id)) {
        throw planInUse(plan.id, plan.custom ? 'make it custom' : 'give it limits');
      }
      touched.push(...ALL);
      return this.#putPlan(plan, entryOf(change, 'plan.put', plan.id, what ?? {}));
    });
  }

  #putPlan(plan: Plan, entry: NewAuditEntry): StoredPlan {
    const stored = { ...plan, revision: this.#audit.append(entry) };
    this.#plans.put(stored);
    return stored;
  }

  async deletePlan(id: string, change: Change, expected?: number): Promise<void> {
    this.#change((touched) => {
      const current = this.#plans.get(id);
      if (current === null) throw planNotFound(id);
      checkRevision(`plan ${id}`, current.revision, expected);
      if (this.#keys.usePlan(id)) throw planInUse(id, 'delete it');
      this.#plans.remove(id);
      this.#audit.append(entryOf(change, 'plan.delete', id, { before: recorded(current) }));
      touched.push(...ALL);
    });
  }

  async createKey(key: NewKey, change: Change): Promise<Key> {
    return this.#change((touched) => this.#addKey(key, change, touched));
  }

  async createKeys(keys: readonly NewKey[], change: Change): Promise<void> {
    this.#change((touched) => {
      for (const key of keys) this.#addKey(key, change, touched);
    });
  }

  #addKey(key: NewKey, change: Change, touched: Invalidation[]): Key {
    checkNewKey(key, this.#plans.get(key.plan));
    const revision = this.#audit.append(entryOf(change, 'key.create', key.id, { after: recorded(key) }));
    const stored = { ...key, rotatedTo: null, lastUsedAt: null, revision };
    this.#keys.insert(stored);
    touched.push({ kind: 'key', hash: key.hash });
    return stored;
  }

  async getKey(id: string): Promise<Key | null> {
    return speakingOurErrors(() => this.#keys.get(id));
  }

  async findKeyByHash(hash: string): Promise<Key | null> {
    return speakingOurErrors(() => this.#keys.findByHash(hash));
  }

  async listKeys(filter: KeyFilter, page: PageRequest): Promise<Page<Key>> {
    return speakingOurErrors(() => this.#keys.list(filter, page));
  }

  async updateKey(id: string, patch: KeyPatch, change: Change, expected?: number): Promise<Key> {
    return this.#change((touched) => {
      const key = this.#existingKey(id);
      checkRevision(`key ${id}`, key.revision, expected);
      const next = patched(key, patch, this.#plans.get(patch.plan ?? key.plan));
      return this.#writeKey(key, next, updateAction(key, next), change, touched);
    });
  }

  async rotateKey(id: string, successor: Successor, oldExpiresAt: number, change: Change): Promise<Key> {
    return this.#change((touched) => {
      const key = this.#existingKey(id);
      const rotation = rotated(key, successor, oldExpiresAt);
      this.#writeKey(key, rotation.old, 'key.rotate', change, touched);
      return this.#addKey(rotation.successor, change, touched);
    });
  }

  #existingKey(id: string): Key {
    const key = this.#keys.get(id);
    if (key === null) throw keyNotFound(id);
    return key;
  }

  #writeKey(key: Key, next: Key, action: string, change: Change, touched: Invalidation[]): Key {
    const what = difference(key, next);
    if (what === null) return key;
    const stored = { ...next, revision: this.#audit.append(entryOf(change, action, key.id, what)) };
    this.#keys.update(stored);
    touched.push({ kind: 'key', hash: key.hash });
    return stored;
  }

  async touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    const uses = [...lastUsed];
    while (uses.length > 0) {
      const some = uses.splice(-TOUCHED_AT_ONCE);
      this.#change(() => {
        for (const [id, at] of some) this.#keys.touch(id, at);
      });
      if (uses.length > 0) await setImmediate();
    }
  }

  async appendAudit(entry: NewAuditEntry): Promise<void> {
    this.#change(() => this.#audit.append(entry));
  }

  async listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    return speakingOurErrors(() => this.#audit.list(filter, page));
  }

  onInvalidation(listener: (what: Invalidation) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#listeners.length = 0;
  }

  /** Only what was committed is announced. */
  #change<T>(work: (touched: Invalidation[]) => T): T {
    const touched: Invalidation[] = [];
    const result = transact(this.#database.sqlite, () => work(touched));
    for (const what of touched) {
      for (const listener of this.#listeners) listener(what);
    }
    return result;
  }
}
