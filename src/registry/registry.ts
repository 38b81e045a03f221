import type { Limits, Mode } from '../admission/decide.ts';
import type { OnStoreFailure } from '../admission/store.ts';

export type { OnStoreFailure };

/** The terms that keys are issued under. */
export interface Plan {
  /** 1 to 64 of `a-z0-9-_`, starting with a letter. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Null exactly if `custom`: each key then carries its own agreed limits. */
  readonly limits: Limits | null;
  readonly custom: boolean;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
}

const PLAN_FIELDS: Readonly<Record<keyof Plan, true>> = {
  id: true,
  name: true,
  description: true,
  limits: true,
  custom: true,
  mode: true,
  onStoreFailure: true,
};

/**
 * All fields of a plan. What compares plans uses this list: a change in a field that it does not know would be dropped
 * as no change at all.
 */
export const planFields = Object.keys(PLAN_FIELDS) as readonly (keyof Plan)[];

/** A plan as stored. */
export interface StoredPlan extends Plan {
  /**
   * The number of the change that produced this version, a positive integer: what `If-Match` compares. It rises with
   * every change and is never reused, not even if a plan is deleted and created again.
   */
  readonly revision: number;
}

export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** An API key as stored: never the secret, only its SHA-256. Times are milliseconds since the Unix epoch. */
export interface Key {
  /** `key_` and 20 random base62 characters. */
  readonly id: string;
  readonly name: string;
  /** 1 to 128 printable ASCII characters. */
  readonly owner: string;
  readonly plan: string;
  /** The key's own limits: set exactly if its plan is custom, else null. */
  readonly limits: Limits | null;
  readonly status: KeyStatus;
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256 of the secret, base64url. */
  readonly hash: string;
  /** The secret's first characters and its last four: enough to recognise a key, too little to use it. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Accurate to the minute. */
  readonly lastUsedAt: number | null;
  /** The id of the first key of the rotation chain, whose counters, strikes and bans this key shares. */
  readonly quotaId: string;
  /** The id of the key that replaced it. */
  readonly rotatedTo: string | null;
  /** Revision, as in `StoredPlan`. */
  readonly revision: number;
}

/**
 * The fields of a key that answers and the audit log may show: all but hash and revision. An explicit list, so that a
 * secret passed along with a key never gets out.
 */
export const shownKeyFields = [
  'id',
  'name',
  'owner',
  'plan',
  'limits',
  'prefix',
  'lastFour',
  'status',
  'metadata',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'quotaId',
  'rotatedTo',
] as const satisfies readonly (keyof Key)[];

export type NewKey = Omit<Key, 'revision' | 'rotatedTo' | 'lastUsedAt'>;

/** What a rotation gives the new key; it inherits everything else from the old one. */
export type Successor = Pick<Key, 'id' | 'hash' | 'prefix' | 'lastFour' | 'createdAt'>;

/** What the request path needs to know about a key. */
export interface KeyWithPlan {
  readonly key: Key;
  /** Null if it is gone: a revoked key may outlive its plan. */
  readonly plan: StoredPlan | null;
}

/** What an operator sets when a key is made, and may change later. */
export type KeySettings = Pick<Key, 'name' | 'plan' | 'limits' | 'expiresAt' | 'metadata'>;

/** Omitted fields stay as they are. */
export type KeyPatch = Partial<KeySettings & Pick<Key, 'status'>>;

export interface KeyUpdateOptions {
  /** Only if the key is at this revision, else `conflict`. */
  readonly revision?: number | undefined;
  /** Also changes the keys that replaced this one: status, plan and limits. */
  readonly wholeChain?: boolean | undefined;
}

/** Who makes a change, when and why: recorded with it in the audit log. */
export interface ChangeContext {
  /** The name of the admin token, or `system`. */
  readonly actor: string;
  readonly reason: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface AuditEntry extends ChangeContext {
  /** A positive integer that rises with every entry. */
  readonly sequence: number;
  /** `key.create`, `key.update`, `key.revoke`, `key.rotate`, `plan.put`, `plan.delete`, `plans.seed`, `ban.start`, … */
  readonly action: string;
  /** The id of the key or plan. */
  readonly subject: string;
  /** What changed: the whole record at its creation, after that the changed fields. Never a secret or its hash. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface KeyPage extends Page<Key> {
  /** How many keys match; null on a further page, and where counting them would take long. */
  readonly total: number | null;
}

export interface PageRequest {
  /** 1 to 1,000. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface KeyFilter {
  readonly owner?: string | undefined;
  readonly plan?: string | undefined;
  readonly status?: KeyStatus | undefined;
  /** Part of name, owner, id or prefix, case-insensitive, at least 3 characters. */
  readonly search?: string | undefined;
}

/** Whose keys they are. */
export interface Owner {
  readonly owner: string;
  /** All keys, also those that are revoked. */
  readonly keys: number;
  readonly activeKeys: number;
}

export interface AuditFilter {
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive, milliseconds since the Unix epoch. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
}

/** What a cache must forget after a change: one key, by its hash, or all (a plan changed, which may affect any key). */
export type Invalidation = { readonly kind: 'key'; readonly hash: string } | { readonly kind: 'all' };

/**
 * Where keys and plans are kept. Both databases pass one contract suite.
 *
 * Every change is atomic, even if two operators act at once, and is written together with its audit entry or not at
 * all. A change that leaves everything as it was succeeds and writes nothing: no revision, no entry, no invalidation.
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
   * Adds the successor and lets the old key expire at `oldExpiresAt` (never later than it would have). A key that was
   * already rotated or is not active is a `conflict`. Writes `key.rotate` for the old key, `key.create` for the new.
   */
  rotateKey(id: string, successor: Successor, oldExpiresAt: number, change: ChangeContext): Promise<Key>;
  /** Records when keys were last used (id → ms since the Unix epoch). Never moves a time back, and is not audited. */
  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void>;

  /** Adds an entry for a change stored elsewhere, such as a ban. */
  appendAudit(entry: Omit<AuditEntry, 'sequence'>): Promise<void>;
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

export type RegistryErrorCode =
  'key_not_found' | 'plan_not_found' | 'plan_in_use' | 'conflict' | 'invalid_cursor' | 'limits_mismatch';

/** The registry refused. The message says why, and what to do. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: RegistryErrorCode;

  constructor(code: RegistryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
