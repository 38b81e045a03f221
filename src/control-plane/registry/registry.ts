import type { Invalidation } from '../../data-plane/ports.ts';
import type { Credential } from '../../base/credential.ts';
import type { AuditEntry, AuditFilter, ChangeContext } from './audit/audit-entry.ts';
import type { NewEvent } from '../events/event.ts';
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
import type { PlanFiles } from './plans/apply-changed-plans.ts';

/**
 * Where keys and plans are kept. Both databases pass one contract suite.
 *
 * Every change is atomic, even if two operators act at once, and is written together with its audit entry and its event
 * or not at all. A change that leaves everything as it was succeeds and writes nothing: no revision, no entry, no event,
 * no invalidation. Changes that nobody waits to hear of, such as another name, have no event.
 *
 * An invalid request is rejected with a `RegistryError`, and nothing was changed. If the store does not answer, the
 * call is rejected with `StoreUnavailable`: the change may have been made, not made, or may still be made, but never in
 * part. Before repeating it, read first, or say which revision is expected.
 */
export interface Registry {
  /**
   * Seeds an empty registry with these plans, once in its lifetime: true for the one caller that did. The first call
   * counts as that one time even if there are plans already and nothing is seeded.
   */
  seedPlans(plans: readonly Plan[], change: ChangeContext): Promise<boolean>;
  /** Sorted by id. */
  listPlans(): Promise<readonly StoredPlan[]>;
  getPlan(id: string): Promise<StoredPlan | null>;
  /**
   * Creates or replaces. With `expected`, only if the plan is at that revision (0: does not exist yet), else
   * `conflict`. Refused with `limits_mismatch` if its limits are invalid (see `checkPlan`), and with `plan_in_use` if
   * it would become custom, or stop being custom, while keys that are not revoked use it.
   */
  putPlan(plan: Plan, change: ChangeContext, expected?: number): Promise<StoredPlan>;
  /**
   * Applies what has changed in the plans file, all of it or nothing: plans that are new in it, or that it describes
   * differently than before. What operators changed by other means is theirs: such a plan stays as it is, and so does
   * one that the file does not name any more. Of gateways that do this at the same time, one writes. Refused like
   * `putPlan`.
   *
   * @returns why plans stayed as they are, for people
   */
  applyChangedPlans(files: PlanFiles, change: ChangeContext): Promise<readonly string[]>;
  /** Refused while keys that are not revoked use it (`plan_in_use`). Revoked keys keep its id. */
  deletePlan(id: string, change: ChangeContext, expected?: number): Promise<void>;

  /**
   * Refused if the plan is unknown (`plan_not_found`), the key's limits do not match it (`limits_mismatch`, see
   * `checkLimits`), or the id or hash is taken (`conflict`).
   */
  createKey(key: NewKey, change: ChangeContext): Promise<Key>;
  /** Many at once, all or none, each with its audit entry. */
  createKeys(keys: readonly NewKey[], change: ChangeContext): Promise<void>;
  getKey(id: string): Promise<Key | null>;
  /** What the request path needs of a key; null if no key has this hash. */
  findCredential(hash: string): Promise<Credential | null>;
  findKeyByHash(hash: string): Promise<KeyWithPlan | null>;
  /** Newest first. Pages neither repeat nor skip a key that existed all along. */
  listKeys(filter: KeyFilter, page: PageRequest): Promise<KeyPage>;
  /** By name. @param search part of the name, case-insensitive */
  listOwners(search: string | undefined, page: PageRequest): Promise<Page<Owner>>;
  /**
   * A revoked key stays revoked: changing its status is a `conflict`. A rotated key must keep an expiry. A key that
   * moves to a plan with limits loses its own; one that moves to a custom plan must have its own.
   *
   * Plan and limits belong to the rotation chain: those of the newest key also apply to its predecessors and cannot be
   * changed on one of them (`conflict`). Revoking or disabling a key does the same to its predecessors, except that
   * revoked keys stay as they are. Each key that changes gets its own audit entry.
   */
  updateKey(id: string, patch: KeyPatch, change: ChangeContext, options?: KeyUpdateOptions): Promise<Key>;
  /**
   * Adds the successor and lets the old key expire at `oldExpiresAt`, never later than it would have. A key that was
   * already rotated, is not active or has expired is a `conflict`. Writes `key.rotate` for the old key, `key.create` for
   * the new.
   */
  rotateKey(id: string, successor: Successor, options: RotateOptions, change: ChangeContext): Promise<Key>;
  /** Records when keys were last used (id → ms since the Unix epoch). Never moves a time back, and is not audited. */
  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void>;

  /** Adds an entry for a change stored elsewhere, such as a ban, and the events that tell of it. */
  appendAudit(entry: Omit<AuditEntry, 'sequence'>, events?: readonly NewEvent[]): Promise<void>;
  /**
   * Adds the entry of a ban with its event, unless that is there already: whoever started the ban has told it.
   *
   * @returns whether it was added
   */
  appendBan(entry: Omit<AuditEntry, 'sequence'>, event: NewEvent): Promise<boolean>;
  /** Adds the entry of a ban's lift with its event, unless that is there already: of two at once, one is recorded. */
  appendLift(entry: Omit<AuditEntry, 'sequence'>, event: NewEvent): Promise<void>;
  /** Newest first. */
  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;

  /**
   * Calls the listener after every change by anyone, including creations; with `all` also if changes may have been
   * missed. For a change made here, the call comes before the change's promise resolves.
   */
  onInvalidation(listener: (what: Invalidation) => void): void;
  /** No listener is called after this. The database is not closed: its owner does that. */
  close(): Promise<void>;
}
