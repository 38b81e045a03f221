import { difference, entryOf, recorded, updateAction } from './audit-record.ts';
import type { NewAuditEntry } from './audit-record.ts';
import { Commit } from './redis-commit.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisNames } from './redis-names.ts';
import type { RedisPlans } from './redis-plans.ts';
import type { KeptKey } from './redis-records.ts';
import { RegistryError } from './registry.ts';
import type { Change, Key, KeyPatch, NewKey, Plan, StoredPlan, Successor } from './registry.ts';
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

/** A change worked out on what was read: to commit if that still holds, else to work out again. */
export interface Draft<T> {
  readonly commit: Commit;
  /** @param revisionOf the revision that an entry of the commit was given */
  readonly result: (revisionOf: (entry: number) => number) => T;
  /** What to say where the commit finds a plan in use. */
  readonly used?: RegistryError;
}

/** Reads, and applies the rules. Writes nothing. */
export class RedisChanges {
  readonly #names: RedisNames;
  readonly #plans: RedisPlans;
  readonly #keys: RedisKeys;

  constructor(names: RedisNames, plans: RedisPlans, keys: RedisKeys) {
    this.#names = names;
    this.#plans = plans;
    this.#keys = keys;
  }

  async seed(plans: readonly Plan[], change: Change): Promise<Draft<boolean>> {
    const commit = this.#commit();
    if (await this.#plans.areSeeded()) return { commit, result: () => false };
    commit.claimSeeding();
    if ((await this.#plans.all()).length > 0) return { commit, result: () => false };
    commit.needNoPlans();
    for (const plan of plans) {
      checkPlan(plan);
      commit.putPlan(plan, commit.addEntry(entryOf(change, 'plans.seed', plan.id, { after: recorded(plan) })));
    }
    return { commit, result: () => true };
  }

  async putPlan(plan: Plan, change: Change, expected?: number): Promise<Draft<StoredPlan>> {
    const current = await this.#plans.get(plan.id);
    checkRevision(`plan ${plan.id}`, current?.revision ?? 0, expected);
    checkPlan(plan);
    const commit = this.#commit();
    const what = current === null ? { after: recorded(plan) } : difference<Plan>(current, plan);
    if (current !== null && what === null) return { commit, result: () => current };
    commit.needPlan(plan.id, current?.revision ?? null);
    if (current !== null && current.custom !== plan.custom) commit.needUnused(plan.id);
    const entry = commit.addEntry(entryOf(change, 'plan.put', plan.id, what ?? {}));
    commit.putPlan(plan, entry);
    const used = planInUse(plan.id, plan.custom ? 'make it custom' : 'give it limits');
    return { commit, result: (revisionOf) => ({ ...plan, revision: revisionOf(entry) }), used };
  }

  async deletePlan(id: string, change: Change, expected?: number): Promise<Draft<void>> {
    const current = await this.#plans.get(id);
    if (current === null) throw planNotFound(id);
    checkRevision(`plan ${id}`, current.revision, expected);
    const commit = this.#commit();
    commit.needPlan(id, current.revision);
    commit.needUnused(id);
    commit.addEntry(entryOf(change, 'plan.delete', id, { before: recorded(current) }));
    commit.removePlan(id);
    return { commit, result: () => {}, used: planInUse(id, 'delete it') };
  }

  /** @throws RegistryError as creating them would, as far as can be told beforehand */
  async checkKeys(keys: readonly NewKey[]): Promise<void> {
    checkDistinct(keys);
    const plans = new Map<string, Plan>((await this.#plans.all()).map((plan) => [plan.id, plan]));
    for (const key of keys) checkNewKey(key, plans.get(key.plan) ?? null);
  }

  /** @param batch of which they are a lot */
  async createKeys(keys: readonly NewKey[], change: Change, batch?: string): Promise<Draft<Key[]>> {
    const commit = this.#commit();
    if (batch !== undefined) commit.stageIn(batch);
    checkDistinct(keys);
    const plans = new Map<string, Plan | null>();
    for (const { plan: id } of keys) {
      if (!plans.has(id)) plans.set(id, await this.#needPlan(commit, id));
    }
    const added = keys.map((key) => this.#addKey(commit, key, plans.get(key.plan) ?? null, change));
    return { commit, result: (revisionOf) => added.map((stored) => stored(revisionOf)) };
  }

  async updateKey(id: string, patch: KeyPatch, change: Change, expected?: number): Promise<Draft<Key>> {
    const kept = await this.#existingKey(id);
    const { key } = kept;
    checkRevision(`key ${id}`, key.revision, expected);
    const commit = this.#commit();
    const next = patched(key, patch, await this.#needPlan(commit, patch.plan ?? key.plan));
    const what = difference(key, next);
    if (what === null) return { commit: this.#commit(), result: () => key };
    const entry = this.#changeKey(commit, kept, next, updateAction(key, next), change);
    return { commit, result: (revisionOf) => ({ ...next, revision: revisionOf(entry) }) };
  }

  async rotateKey(id: string, successor: Successor, oldExpiresAt: number, change: Change): Promise<Draft<Key>> {
    const kept = await this.#existingKey(id);
    const rotation = rotated(kept.key, successor, oldExpiresAt);
    const commit = this.#commit();
    const plan = await this.#needPlan(commit, kept.key.plan);
    this.#changeKey(commit, kept, rotation.old, 'key.rotate', change);
    return { commit, result: this.#addKey(commit, rotation.successor, plan, change) };
  }

  /** Of a change that is kept elsewhere. */
  note(entry: NewAuditEntry): Draft<void> {
    const commit = this.#commit();
    commit.addEntry(entry);
    return { commit, result: () => {} };
  }

  async #existingKey(id: string): Promise<KeptKey> {
    const kept = await this.#keys.get(id);
    if (kept === null) throw keyNotFound(id);
    return kept;
  }

  async #needPlan(commit: Commit, id: string): Promise<StoredPlan | null> {
    const plan = await this.#plans.get(id);
    commit.needPlan(id, plan?.revision ?? null);
    return plan;
  }

  #addKey(commit: Commit, key: NewKey, plan: Plan | null, change: Change): Draft<Key>['result'] {
    checkNewKey(key, plan);
    const entry = commit.addEntry(entryOf(change, 'key.create', key.id, { after: recorded(key) }));
    commit.addKey(key, entry);
    return (revisionOf) => ({ ...key, rotatedTo: null, lastUsedAt: null, revision: revisionOf(entry) });
  }

  #changeKey(commit: Commit, kept: KeptKey, next: Key, action: string, change: Change): number {
    commit.needKey(kept.key);
    const entry = commit.addEntry(entryOf(change, action, next.id, difference(kept.key, next) ?? {}));
    commit.changeKey(kept, next, entry);
    return entry;
  }

  #commit(): Commit {
    return new Commit(this.#names);
  }
}

function checkDistinct(keys: readonly NewKey[]): void {
  const distinct = new Set(keys.flatMap(({ id, hash }) => [id, hash]));
  if (distinct.size < 2 * keys.length) throw keyTaken();
}

export function keyTaken(): RegistryError {
  return new RegistryError('conflict', 'a key with this id or secret exists already: make a new one');
}
