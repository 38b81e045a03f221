import { setImmediate } from 'node:timers/promises';
import type { Page, PageRequest } from '../../storage/paging.ts';
import type { Invalidation } from '../../data-plane/boundary-types.ts';
import { type Credential, isFoundBy, type Presented } from '../../domain/credential.ts';
import {
  appendAudit,
  type AuditEntry,
  type AuditFilter,
  type ChangeContext,
  listAudit,
  listUnendedBans,
  type NewAuditEntry,
} from './audit-log.ts';
import type { NewEvent } from '../events/event.ts';
import {
  type Key,
  type KeyFilter,
  type KeyOrder,
  type KeyPage,
  type KeyPatch,
  type KeyUpdateOptions,
  type NewKey,
  type Owner,
  type OwnerOrder,
  type RotateOptions,
  type Successor,
} from './key.ts';
import type { Plan, StoredPlan } from '../../domain/plan.ts';
import { applyChangedPlans, deletePlan, putPlan, seedPlans } from './plan-changes.ts';
import type { PlanFiles } from './plans-in-file.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tables.ts';
import { publish } from '../events/event-outbox.ts';
import { announceBans } from './ban-feed.ts';
import { BulkChanges } from './bulk-changes.ts';
import { isSameBan } from './ban-record.ts';
import { parseInvalidation } from './invalidation.ts';
import {
  findCredentialByHash,
  findSimilarKeys,
  findImportedKeys,
  listForeignHashes,
  findKeyById,
  findKeysById,
  type KeyIdentity,
  type SimilarKeyFields,
  listKeysWaitingBefore,
  listKeysWithOperations,
  noteNetworks,
  findSequences,
  touchKeys,
} from './key-rows.ts';
import { listKeys } from './key-list.ts';
import { listOwners } from './owner-list.ts';
import { createKeys, rotateKey, updateKey } from './key-changes.ts';
import { loadPlans, isPlanUsed, countKeysByPlan, type KeyCounts, findPlanById, loadPlansById } from './plan-rows.ts';
import { makeChange, type WriteContext } from './write-context.ts';

/** Keys per transaction: a few milliseconds of work. On SQLite, requests are served between two batches. */
const TOUCH_BATCH_SIZE = 1000;
const MAX_WAITING_KEYS = 10;

/**
 * Stores keys and plans. The same contract tests run on both databases.
 *
 * Every change is atomic, even if two operators act at the same time. It is written together with its audit entry and
 * its event, or not at all. A change that changes nothing succeeds and writes nothing: no revision, no entry, no event,
 * no invalidation. Some changes, such as a new name, have no event.
 *
 * An invalid request is rejected with a `RegistryError`, and changes nothing. If the store is unavailable, the call is
 * rejected with `StoreUnavailable`. The change may then have been made, not made, or may still be made, but never in
 * part. Before repeating the call, read the current state, or specify the expected revision.
 */
export class Registry {
  /** Changes to many keys at a time. */
  readonly bulk: BulkChanges;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.bulk = new BulkChanges(database);
  }

  /**
   * Seeds an empty registry with these plans. Only the first call ever can do so, even if it found plans and seeded
   * nothing.
   *
   * @returns whether this call seeded the plans
   */
  seedPlans(plans: readonly Plan[], change: ChangeContext): Promise<boolean> {
    return this.#change(change, (context) => seedPlans(context, plans));
  }

  /** Sorted by id. */
  listPlans(): Promise<readonly StoredPlan[]> {
    return this.#database.read(loadPlans);
  }

  plansById(): Promise<ReadonlyMap<string, StoredPlan>> {
    return this.#database.read(loadPlansById);
  }

  /** By plan id. Plans without keys are left out. */
  countKeysByPlan(): Promise<Map<string, KeyCounts>> {
    return this.#database.read(countKeysByPlan);
  }

  /** Whether an account, or a key that is not revoked, uses the plan. */
  isPlanUsed(id: string): Promise<boolean> {
    return this.#database.read((queries) => isPlanUsed(queries, id));
  }

  getPlan(id: string): Promise<StoredPlan | null> {
    return this.#database.read((queries) => findPlanById(queries, id));
  }

  /**
   * Creates or replaces a plan. If `expectedRevision` is given, the plan must be at that revision (0: does not exist
   * yet), or the call is refused with `conflict`. Also refused with `limits_mismatch` if the limits of the plan are
   * invalid (see `checkPlan`), and with `plan_in_use` if the plan would become custom, or stop being custom, while
   * accounts, or keys that are not revoked, use it.
   */
  putPlan(plan: Plan, change: ChangeContext, expectedRevision?: number): Promise<StoredPlan> {
    return this.#change(change, (context) => putPlan(context, plan, expectedRevision));
  }

  /**
   * Applies the changes to the plans file, all or nothing. Changes are plans that are new in the file, or that the file
   * now defines differently. A plan stays as it is if operators changed it by other means, or if the file no longer
   * contains it. If several gateways do this at the same time, only one of them writes. Refused like `putPlan`.
   *
   * @returns why plans were not changed, for operators
   */
  applyChangedPlans(files: PlanFiles, change: ChangeContext): Promise<readonly string[]> {
    return this.#change(change, (context) => applyChangedPlans(context, files));
  }

  /**
   * Refused with `plan_in_use` while accounts, or keys that are not revoked, use the plan. Revoked keys keep the id of
   * the deleted plan.
   */
  deletePlan(id: string, change: ChangeContext, expectedRevision?: number): Promise<void> {
    return this.#change(change, (context) => deletePlan(context, id, expectedRevision));
  }

  /**
   * Refused if the plan is unknown (`plan_not_found`), if the key's limits do not match the plan (`limits_mismatch`,
   * see `checkKeyLimits`), or if the id, the hash, or the external id of this owner is taken (`conflict`).
   */
  async createKey(key: NewKey, change: ChangeContext): Promise<Key> {
    const [stored] = await this.#change(change, (context) => createKeys(context, [key]));
    return stored!;
  }

  /** Creates many keys, all or none, each with its audit entry. */
  async createKeys(keys: readonly NewKey[], change: ChangeContext): Promise<void> {
    await this.#change(change, (context) => createKeys(context, keys));
  }

  /** For each of `keys`, the id of a similar key that is not revoked; null if there is none. */
  findAlike(keys: readonly SimilarKeyFields[]): Promise<(string | null)[]> {
    return this.#database.read((queries) => findSimilarKeys(queries, keys));
  }

  /** The keys that have the same hash, or the same owner and external id, as one of `keys`. */
  findImported(keys: readonly KeyIdentity[]): Promise<Key[]> {
    return this.#database.read((queries) => findImportedKeys(queries, keys));
  }

  /**
   * Hashes of imported secrets that do not have Tollgate's format, oldest key first.
   *
   * @param after the `position` of the last hash that was read, or 0
   */
  listForeignHashes(after: number, limit: number): Promise<{ readonly hash: string; readonly position: number }[]> {
    return this.#database.read((queries) => listForeignHashes(queries, after, limit));
  }

  /**
   * Finds the credential of a key; null if no key has this hash.
   *
   * @param presented only keys that may be found with it are returned; all kinds if omitted
   */
  async findCredential(hash: string, presented?: Presented): Promise<Credential | null> {
    const credential = await this.#database.lookUp((queries) => findCredentialByHash(queries, hash));
    const isFound = credential !== null && (presented === undefined || isFoundBy(credential.kind, presented));
    return isFound ? credential : null;
  }

  getKey(id: string): Promise<Key | null> {
    return this.#database.read((queries) => findKeyById(queries, id));
  }

  /** The keys with these ids, by id. Ids that do not exist are left out. */
  keysById(ids: readonly string[]): Promise<Map<string, Key>> {
    return this.#database.read((queries) => findKeysById(queries, ids));
  }

  /** The keys that this key replaced and that end as soon as they are no longer used: at most 10, oldest first. */
  keysWaitingBefore(id: string): Promise<Key[]> {
    return this.#database.read((queries) => listKeysWaitingBefore(queries, id, MAX_WAITING_KEYS));
  }

  /**
   * A key that exists during the whole listing appears on exactly one page, unless its sort value changes meanwhile.
   */
  listKeys(filter: KeyFilter, page: PageRequest, order?: KeyOrder): Promise<KeyPage> {
    return listKeys(this.#database, filter, page, order);
  }

  /**
   * Sorted by owner unless `order` says otherwise.
   *
   * @param search part of the owner, or of the name or email address of the owner's account, case-insensitive
   * @param requests number of requests by owner, for the order by requests; owners that are missing have none
   */
  listOwners(
    search: string | undefined,
    page: PageRequest,
    order?: OwnerOrder,
    requests?: ReadonlyMap<string, number>,
  ): Promise<Page<Owner>> {
    return listOwners(this.#database, search, page, order, requests);
  }

  /**
   * A revoked key stays revoked: changing its status is a `conflict`. A rotated key must keep an expiry. A key that
   * moves to a plan with limits loses its own limits. A key that moves to a custom plan must have its own limits.
   *
   * Plan and limits belong to the rotation chain. Those of the newest key also apply to its predecessors, so changing
   * them on a predecessor is a `conflict`. Revoking or disabling a key does the same to its predecessors, except that
   * revoked keys stay as they are. Each key that changes gets its own audit entry.
   */
  updateKey(id: string, patch: KeyPatch, change: ChangeContext, options: KeyUpdateOptions = {}): Promise<Key> {
    return this.#change(change, (context) => updateKey(context, id, patch, options));
  }

  /**
   * Adds the successor and lets the old key expire at `oldExpiresAt`, or at its own expiry if that is earlier. With
   * `untilQuiet`, the old key ends before that as soon as it is no longer used (`endQuietRotations`). Refused with
   * `conflict` if the key was already rotated, is not active or has expired. Writes the audit entries `key.rotate` for
   * the old key and `key.create` for the new key.
   */
  rotateKey(id: string, successor: Successor, options: RotateOptions, change: ChangeContext): Promise<Key> {
    return this.#change(change, (context) => rotateKey(context, id, successor, options));
  }

  /**
   * Records when keys were last used (id → ms since the Unix epoch). Networks are recorded only for keys that have been
   * replaced until quiet. Never moves a time back, and writes no audit entries.
   */
  async touchKeys(
    lastUsed: ReadonlyMap<string, number>,
    networks: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    await this.#writeInBatches(await this.#sortByBlock(lastUsed), touchKeys);
    const networkUses = [...networks].map(([id, network]) => [id, network, lastUsed.get(id) ?? 0] as const);
    await this.#writeInBatches(networkUses, noteNetworks);
  }

  /**
   * Orders the uses by block of the table, so that each page of the database is written once for all keys in it, and
   * not once for each key. Within a block, the order does not matter.
   */
  async #sortByBlock(lastUsed: ReadonlyMap<string, number>) {
    const blocks = new Map<number, (readonly [sequence: number, at: number])[]>();
    const ids = lastUsed.keys();
    for (let batch = [...ids.take(TOUCH_BATCH_SIZE)]; batch.length > 0; batch = [...ids.take(TOUCH_BATCH_SIZE)]) {
      for (const { id, sequence } of await this.#database.read((queries) => findSequences(queries, batch))) {
        const use = [sequence, lastUsed.get(id) ?? 0] as const;
        const block = Math.floor(sequence / TOUCH_BATCH_SIZE);
        const blockUses = blocks.get(block);
        if (blockUses === undefined) blocks.set(block, [use]);
        else blockUses.push(use);
      }
      await setImmediate();
    }
    return [...blocks].toSorted(([a], [b]) => a - b).flatMap(([, uses]) => uses);
  }

  async #writeInBatches<Item>(items: Item[], write: (tx: Tx, batch: readonly Item[]) => Promise<void>): Promise<void> {
    while (items.length > 0) {
      const batch = items.splice(-TOUCH_BATCH_SIZE);
      await this.#database.transaction((tx) => write(tx, batch));
      if (items.length > 0) await setImmediate();
    }
  }

  /** Adds an entry, and its events, for a change that is stored elsewhere, such as a ban. */
  async appendAudit(entry: NewAuditEntry, events: readonly NewEvent[] = []): Promise<void> {
    await this.#database.transaction(async (tx, announce) => {
      await appendAudit(tx, [entry]);
      announceBans(announce, [entry]);
      await publish({ tx, announce }, events);
    });
  }

  /**
   * Adds the entry of a ban with its event, unless the gateway that started the ban has already done so.
   *
   * @returns whether this call added the event
   */
  appendBan(entry: NewAuditEntry, event: NewEvent): Promise<boolean> {
    return this.#database.transaction(async (tx, announce) => {
      const addedIds = await publish({ tx, announce }, [event]);
      if (addedIds.length === 0) return false;
      const filter = { subject: entry.subject, action: entry.action };
      const [last] = (await listAudit(tx, filter, { limit: 1 })).items;
      if (last === undefined || !isSameBan(last, entry)) await appendAudit(tx, [entry]);
      announceBans(announce, [entry]);
      return true;
    });
  }

  /**
   * Adds an entry with its event, unless the event already exists. If two gateways do this at the same time, only one
   * entry is recorded.
   */
  async appendWithEvent(entry: NewAuditEntry, event: NewEvent): Promise<void> {
    await this.#database.transaction(async (tx, announce) => {
      const addedIds = await publish({ tx, announce }, [event]);
      if (addedIds.length === 0) return;
      await appendAudit(tx, [entry]);
      announceBans(announce, [entry]);
    });
  }

  keysWithOperations(limit: number): Promise<Pick<Key, 'id' | 'operations'>[]> {
    return this.#database.read((queries) => listKeysWithOperations(queries, limit));
  }

  /** Newest first, unless `oldestFirst`. */
  listAudit(filter: AuditFilter, page: PageRequest, oldestFirst = false): Promise<Page<AuditEntry>> {
    return this.#database.read((queries) => listAudit(queries, filter, page, oldestFirst));
  }

  /** The starts of bans whose planned end is after `now`. These bans may already have been lifted or replaced. */
  listUnendedBans(
    filter: Pick<AuditFilter, 'subject' | 'quotasOf'>,
    now: number,
    page: PageRequest,
    oldestFirst = false,
  ): Promise<Page<AuditEntry>> {
    const { dialect } = this.#database;
    return this.#database.read((queries) => listUnendedBans({ queries, dialect }, filter, now, page, oldestFirst));
  }

  /**
   * Calls the listener after every change by any gateway or operator, including creations. It is called with `all` if
   * changes may have been missed. For a change by this gateway, it is called before the promise of the change resolves.
   */
  onInvalidation(listener: (invalidation: Invalidation) => void): void {
    this.#database.onChange((message) => {
      const invalidation = parseInvalidation(message);
      if (invalidation !== undefined) listener(invalidation);
    });
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}
