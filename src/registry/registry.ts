import type { Limits, Mode } from '../admission/decide.ts';
import type { OnStoreFailure } from '../admission/store.ts';

export type { OnStoreFailure };

/** An agreement that keys are issued under. */
export interface Plan {
  /** 1 to 64 of `a-z0-9-_`, starting with a letter. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Null exactly where `custom`: each key then carries the limits that were agreed. */
  readonly limits: Limits | null;
  readonly custom: boolean;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
}

/** As it is kept. */
export interface StoredPlan extends Plan {
  /**
   * The number of the change that made it, a positive integer: what `If-Match` compares. It rises with every change,
   * and is never used again, also not when a plan is deleted and made anew.
   */
  readonly revision: number;
}

export type KeyStatus = 'active' | 'disabled' | 'revoked';

/** An API key as it is kept: never the secret, only its SHA-256. Times are milliseconds since the Unix epoch. */
export interface Key {
  /** `key_` and 20 random base62 characters. */
  readonly id: string;
  readonly name: string;
  /** 1 to 128 printable ASCII characters. */
  readonly owner: string;
  readonly plan: string;
  /** The key's own limits: given exactly where its plan is custom, else null. */
  readonly limits: Limits | null;
  readonly status: KeyStatus;
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256 of the secret, base64url. */
  readonly hash: string;
  /** The first characters of the secret, and its last four: enough to recognise a key, too little to use it. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  /** The id of the first key of the rotation chain: whose counters, strikes and bans it shares. */
  readonly quotaId: string;
  /** The id of the key that replaced it. */
  readonly rotatedTo: string | null;
  /** As that of a plan. */
  readonly revision: number;
}

export type NewKey = Omit<Key, 'revision' | 'rotatedTo' | 'lastUsedAt'>;

/** What a rotation gives the new key; all else it inherits from the old one. */
export type Successor = Pick<Key, 'id' | 'hash' | 'prefix' | 'lastFour' | 'createdAt'>;

/** What the request path needs of a key. */
export interface KeyWithPlan {
  readonly key: Key;
  /** Null where it is gone: a revoked key may outlive its plan. */
  readonly plan: StoredPlan | null;
}

/** Fields left out stay as they are. */
export type KeyPatch = Partial<Pick<Key, 'name' | 'plan' | 'limits' | 'status' | 'expiresAt' | 'metadata'>>;

export interface KeyUpdateOptions {
  /** Only if the key is at this revision, else `conflict`. */
  readonly revision?: number | undefined;
  /** Also changes the keys that replaced this one: status, plan and limits. */
  readonly wholeChain?: boolean | undefined;
}

/** Who makes a change, and why: kept with it in the audit log. */
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
  /** What changed, never a secret nor its hash: the whole record at its creation, the changed fields after that. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface KeyFilter {
  readonly owner?: string | undefined;
  readonly plan?: string | undefined;
  readonly status?: KeyStatus | undefined;
  /** A part of name, owner, id or prefix, in any case: at least 3 characters. */
  readonly search?: string | undefined;
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

/** What a change touched, so that a cache forgets it: one key by its hash, or a plan and so any key. */
export type Invalidation = { readonly kind: 'key'; readonly hash: string } | { readonly kind: 'all' };

/**
 * Where keys and plans are kept. Both databases pass one contract suite.
 *
 * Every change is atomic, also where two operators act at once, and writes its audit entry with it or not at all. One
 * that leaves everything as it was succeeds, and writes nothing: no revision, no entry, no invalidation.
 * What is wrong with a request comes as a `RegistryError`, and nothing was changed. A store that does not answer comes as
 * `StoreUnavailable`: a change then may have been made or not, or may still be made, but never by halves. Whoever
 * repeats it should read first, or say which revision is expected.
 */
export interface Registry {
  /**
   * Seeds an empty registry with these plans, once in its life: true for the one caller that did it. The first call
   * is that one time, also where there are plans already and so nothing is seeded.
   */
  seedPlans(plans: readonly Plan[], change: ChangeContext): Promise<boolean>;
  /** By id. */
  listPlans(): Promise<readonly StoredPlan[]>;
  getPlan(id: string): Promise<StoredPlan | null>;
  /**
   * Creates or replaces. With `expected`, only if the plan is at that revision (0: does not exist yet), else
   * `conflict`. Refused with `limits_mismatch` if its limits are not sound (see `checkPlan`), and with `plan_in_use`
   * where it would become custom or stop being so while keys that are not revoked use it.
   */
  putPlan(plan: Plan, change: ChangeContext, expected?: number): Promise<StoredPlan>;
  /** Refused while keys that are not revoked use it (`plan_in_use`). Revoked keys keep its id. */
  deletePlan(id: string, change: ChangeContext, expected?: number): Promise<void>;

  /**
   * Refused if the plan is unknown (`plan_not_found`), the key's limits do not go with it (`limits_mismatch`, see
   * `checkLimits`), or the id or hash is taken (`conflict`).
   */
  createKey(key: NewKey, change: ChangeContext): Promise<Key>;
  /** Many at once, all or none, each with its audit entry. */
  createKeys(keys: readonly NewKey[], change: ChangeContext): Promise<void>;
  getKey(id: string): Promise<Key | null>;
  findKeyByHash(hash: string): Promise<KeyWithPlan | null>;
  /** Newest first; a page neither repeats nor skips a key that was there all along. */
  listKeys(filter: KeyFilter, page: PageRequest): Promise<Page<Key>>;
  /**
   * A revoked key stays revoked: changing its status is a `conflict`. A rotated key must keep an end. A key that moves
   * to a plan with limits loses its own; one that moves to a custom plan must have some.
   *
   * Plan and limits belong to the rotation chain: those of the newest key hold for its predecessors, and cannot be
   * changed on one of them (`conflict`). Revoking or disabling a key does the same to its predecessors; what was
   * revoked stays as it is. Each key that changes has its own audit entry.
   */
  updateKey(id: string, patch: KeyPatch, change: ChangeContext, options?: KeyUpdateOptions): Promise<Key>;
  /**
   * Adds the successor and lets the old key expire at `oldExpiresAt` (never later than it would have). A key that was
   * rotated already or is not active is a `conflict`. Writes `key.rotate` for the old key, `key.create` for the new.
   */
  rotateKey(id: string, successor: Successor, oldExpiresAt: number, change: ChangeContext): Promise<Key>;
  /** Notes when keys were last used (id → milliseconds); never moves a time back, and is no change to audit. */
  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void>;

  /** Adds an entry for a change that is kept elsewhere, such as a ban. */
  appendAudit(entry: Omit<AuditEntry, 'sequence'>): Promise<void>;
  /** Newest first. */
  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;

  /**
   * Calls the listener after every change by anyone, creations too; `all` also when some may have been missed. For a
   * change made here, before the promise of it resolves.
   */
  onInvalidation(listener: (what: Invalidation) => void): void;
  /** No listener is called any more. The database stays its owner's to close. */
  close(): Promise<void>;
}

export type RegistryErrorCode =
  'key_not_found' | 'plan_not_found' | 'plan_in_use' | 'conflict' | 'invalid_cursor' | 'limits_mismatch';

/** The registry refused: the message says why, and what to do. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: RegistryErrorCode;

  constructor(code: RegistryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
