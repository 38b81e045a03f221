import { setImmediate } from 'node:timers/promises';
import type { Invalidation } from '../../data-plane/ports.ts';
import type { Credential } from '../../base/credential.ts';
import type { Database } from '../../storage/database.ts';
import type { NewEvent } from '../events/event.ts';
import { publish } from '../events/publish.ts';
import { appendAudit, listAudit } from './audit/audit-rows.ts';
import type { NewAuditEntry } from './audit/audit-record.ts';
import { isSameBan } from './audit/ban-record.ts';
import { invalidationOf } from './invalidation.ts';
import { credentialOf } from './keys/credential-of.ts';
import { keyByHash } from './keys/key-by-hash.ts';
import { keyById, touchKeys } from './keys/key-rows.ts';
import { listKeys } from './lists/list-keys.ts';
import { listOwners } from './lists/list-owners.ts';
import { createKeys, rotateKey, updateKey } from './keys/key-changes.ts';
import { applyChangedPlans, type PlanFiles } from './plans/apply-changed-plans.ts';
import { deletePlan, putPlan, seedPlans } from './plans/plan-changes.ts';
import { allPlans, planById } from './plans/plan-rows.ts';
import type { AuditEntry, AuditFilter, ChangeContext } from './audit/audit-entry.ts';
import type {
  Key,
  KeyFilter,
  KeyPage,
  KeyPatch,
  KeyUpdateOptions,
  KeyWithPlan,
  NewKey,
  Owner,
  RotateOptions,
  Successor,
} from './keys/key.ts';
import type { Page, PageRequest } from '../../base/paging.ts';
import type { Plan, StoredPlan } from './plans/plan.ts';
import type { Registry } from './registry.ts';
import { makeChange, type WriteContext } from './write-context.ts';

/** Keys per transaction: a few milliseconds of work. On SQLite, requests are served between two batches. */
const TOUCH_BATCH = 1000;

/** Keys, plans and audit in a relational database. It does not close the database: its owner does. */
export class SqlRegistry implements Registry {
  readonly #database: Database;
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  seedPlans(plans: readonly Plan[], change: ChangeContext): Promise<boolean> {
    return this.#change(change, (context) => seedPlans(context, plans));
  }

  listPlans(): Promise<readonly StoredPlan[]> {
    return this.#database.read(allPlans);
  }

  getPlan(id: string): Promise<StoredPlan | null> {
    return this.#database.read((queries) => planById(queries, id));
  }

  putPlan(plan: Plan, change: ChangeContext, expected?: number): Promise<StoredPlan> {
    return this.#change(change, (context) => putPlan(context, plan, expected));
  }

  applyChangedPlans(files: PlanFiles, change: ChangeContext): Promise<readonly string[]> {
    return this.#change(change, (context) => applyChangedPlans(context, files));
  }

  deletePlan(id: string, change: ChangeContext, expected?: number): Promise<void> {
    return this.#change(change, (context) => deletePlan(context, id, expected));
  }

  async createKey(key: NewKey, change: ChangeContext): Promise<Key> {
    const [stored] = await this.#change(change, (context) => createKeys(context, [key]));
    return stored!;
  }

  async createKeys(keys: readonly NewKey[], change: ChangeContext): Promise<void> {
    await this.#change(change, (context) => createKeys(context, keys));
  }

  async findCredential(hash: string): Promise<Credential | null> {
    const found = await this.findKeyByHash(hash);
    return found === null ? null : credentialOf(found);
  }

  getKey(id: string): Promise<Key | null> {
    return this.#database.read((queries) => keyById(queries, id));
  }

  findKeyByHash(hash: string): Promise<KeyWithPlan | null> {
    return this.#database.lookUp((queries) => keyByHash(queries, hash));
  }

  listKeys(filter: KeyFilter, page: PageRequest): Promise<KeyPage> {
    return this.#database.read((queries) => listKeys(queries, this.#database.dialect, filter, page));
  }

  listOwners(search: string | undefined, page: PageRequest): Promise<Page<Owner>> {
    return this.#database.read((queries) => listOwners(queries, this.#database.dialect, search, page));
  }

  updateKey(id: string, patch: KeyPatch, change: ChangeContext, options: KeyUpdateOptions = {}): Promise<Key> {
    return this.#change(change, (context) => updateKey(context, id, patch, options));
  }

  rotateKey(id: string, successor: Successor, options: RotateOptions, change: ChangeContext): Promise<Key> {
    return this.#change(change, (context) => rotateKey(context, id, successor, options));
  }

  async touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    const uses = [...lastUsed];
    while (uses.length > 0) {
      const batch = uses.splice(-TOUCH_BATCH);
      await this.#database.transaction((tx) => touchKeys(tx, batch));
      if (uses.length > 0) await setImmediate();
    }
  }

  async appendAudit(entry: NewAuditEntry, events: readonly NewEvent[] = []): Promise<void> {
    await this.#database.transaction(async (tx, announce) => {
      await appendAudit(tx, [entry]);
      await publish({ tx, announce }, events);
    });
  }

  appendBan(entry: NewAuditEntry, event: NewEvent): Promise<boolean> {
    return this.#database.transaction(async (tx, announce) => {
      const added = await publish({ tx, announce }, [event]);
      if (added.length === 0) return false;
      const filter = { subject: entry.subject, action: entry.action };
      const [last] = (await listAudit(tx, filter, { limit: 1 })).items;
      if (last === undefined || !isSameBan(last, entry)) await appendAudit(tx, [entry]);
      return true;
    });
  }

  async appendLift(entry: NewAuditEntry, event: NewEvent): Promise<void> {
    await this.#database.transaction(async (tx, announce) => {
      const added = await publish({ tx, announce }, [event]);
      if (added.length > 0) await appendAudit(tx, [entry]);
    });
  }

  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    return this.#database.read((queries) => listAudit(queries, filter, page));
  }

  onInvalidation(listener: (what: Invalidation) => void): void {
    this.#database.onChange((message) => {
      const what = invalidationOf(message);
      if (what !== undefined && !this.#closed) listener(what);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}
