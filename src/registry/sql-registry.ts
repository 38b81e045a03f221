import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { appendAudit, listAudit } from './audit/audit.ts';
import type { NewAuditEntry } from './audit/audit-record.ts';
import { invalidationOf } from './invalidation.ts';
import { keyByHash, keyById, touchKeys } from './key-rows.ts';
import { createKeys, rotateKey, updateKey } from './keys.ts';
import { listKeys } from './lists/list-keys.ts';
import { listOwners } from './lists/list-owners.ts';
import { allPlans, deletePlan, planById, putPlan, seedPlans } from './plans.ts';
import type * as port from './registry.ts';
import type { WriteContext } from './write-context.ts';

/** Keys per transaction: a few milliseconds of work. On SQLite, requests are served between two batches. */
const TOUCH_BATCH = 1000;

/** Keys, plans and audit in a relational database. It does not close the database: its owner does. */
export class SqlRegistry implements port.Registry {
  readonly #database: Database;
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  seedPlans(plans: readonly port.Plan[], change: port.ChangeContext): Promise<boolean> {
    return this.#change(change, (context) => seedPlans(context, plans));
  }

  listPlans(): Promise<readonly port.StoredPlan[]> {
    return this.#database.read(allPlans);
  }

  getPlan(id: string): Promise<port.StoredPlan | null> {
    return this.#database.read((queries) => planById(queries, id));
  }

  putPlan(plan: port.Plan, change: port.ChangeContext, expected?: number): Promise<port.StoredPlan> {
    return this.#change(change, (context) => putPlan(context, plan, expected));
  }

  deletePlan(id: string, change: port.ChangeContext, expected?: number): Promise<void> {
    return this.#change(change, (context) => deletePlan(context, id, expected));
  }

  async createKey(key: port.NewKey, change: port.ChangeContext): Promise<port.Key> {
    const [stored] = await this.#change(change, (context) => createKeys(context, [key]));
    return stored!;
  }

  async createKeys(keys: readonly port.NewKey[], change: port.ChangeContext): Promise<void> {
    await this.#change(change, (context) => createKeys(context, keys));
  }

  getKey(id: string): Promise<port.Key | null> {
    return this.#database.read((queries) => keyById(queries, id));
  }

  findKeyByHash(hash: string): Promise<port.KeyWithPlan | null> {
    return this.#database.lookUp((queries) => keyByHash(queries, hash));
  }

  listKeys(filter: port.KeyFilter, page: port.PageRequest): Promise<port.KeyPage> {
    return this.#database.read((queries) => listKeys(queries, this.#database.dialect, filter, page));
  }

  listOwners(search: string | undefined, page: port.PageRequest): Promise<port.Page<port.Owner>> {
    return this.#database.read((queries) => listOwners(queries, this.#database.dialect, search, page));
  }

  updateKey(
    id: string,
    patch: port.KeyPatch,
    change: port.ChangeContext,
    options: port.KeyUpdateOptions = {},
  ): Promise<port.Key> {
    return this.#change(change, (context) => updateKey(context, id, patch, options));
  }

  rotateKey(
    id: string,
    successor: port.Successor,
    oldExpiresAt: number,
    change: port.ChangeContext,
  ): Promise<port.Key> {
    return this.#change(change, (context) => rotateKey(context, id, successor, oldExpiresAt));
  }

  async touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    const uses = [...lastUsed];
    while (uses.length > 0) {
      const batch = uses.splice(-TOUCH_BATCH);
      await this.#database.transaction((tx) => touchKeys(tx, batch));
      if (uses.length > 0) await setImmediate();
    }
  }

  async appendAudit(entry: NewAuditEntry): Promise<void> {
    await this.#database.transaction((tx) => appendAudit(tx, [entry]));
  }

  listAudit(filter: port.AuditFilter, page: port.PageRequest): Promise<port.Page<port.AuditEntry>> {
    return this.#database.read((queries) => listAudit(queries, filter, page));
  }

  onInvalidation(listener: (what: port.Invalidation) => void): void {
    this.#database.onChange((message) => {
      const what = invalidationOf(message);
      if (what !== undefined && !this.#closed) listener(what);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #change<T>(change: port.ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    const { dialect } = this.#database;
    return this.#database.transaction((tx, announce) => work({ tx, announce, dialect, change }));
  }
}
