import { StoreUnavailable } from '../../base/error-types.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import type { Page } from '../../storage/paging.ts';
import type { Credential, KeyKind, KeyStatus } from '../../domain/credential.ts';
import { type Limits, chooseLowerLimit } from '../../domain/quota-limits.ts';
import type { Order } from '../../storage/sorted-page.ts';
import { checkKeyLimits, type Plan, createPlanNotFoundError } from '../../domain/plan.ts';
import type { KeyToken } from '../../domain/token-caller.ts';
import { BRAND, generateKeyId, generateSecret, createKeyPreview, type KeyPreview } from '../../domain/key-format.ts';

/** The caller of a key of kind `token`. */
export interface StoredToken extends KeyToken {
  readonly issuer: string;
}

/** An API key as stored: never the secret, only its SHA-256. Times are milliseconds since the Unix epoch. */
export interface Key {
  /** `key_` and 20 random base62 characters. */
  readonly id: string;
  readonly name: string;
  /** 1 to 128 printable ASCII characters. */
  readonly owner: string;
  readonly plan: string;
  /** The key's own limits: set if and only if its plan is custom, otherwise null. */
  readonly limits: Limits | null;
  /** Maximum number of concurrent requests of its quota, if that is lower than the plan's; null: the plan's applies. */
  readonly concurrent: number | null;
  /** Selectors of the operations that the key may call, among those that its plan includes; null: all of the plan's. */
  readonly operations: readonly string[] | null;
  /** Addresses and CIDR ranges that the key may be used from; null: from everywhere. */
  readonly addresses: readonly string[] | null;
  /**
   * `report`: requests that do not match the service's OpenAPI document are counted, but never refused. Null: the mode
   * of the operation applies.
   */
  readonly validation: 'report' | null;
  readonly status: KeyStatus;
  readonly metadata: Readonly<Record<string, string>>;
  readonly kind: KeyKind;
  /** Null for keys that are not of kind `token`. */
  readonly token: StoredToken | null;
  /** SHA-256 of the secret, base64url; for a caller, `hashCaller`. */
  readonly hash: string;
  /**
   * The secret's first characters and its last four: enough to recognize a key, too little to use it. Empty for a
   * caller.
   */
  readonly prefix: string;
  readonly lastFour: string;
  /** The key's id in the system it was imported from. Unique per owner. */
  readonly externalId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Accurate to the minute. */
  readonly lastUsedAt: number | null;
  /**
   * Id of the counters, strikes and bans of this key. It is the id of the account that the key was created for, or
   * otherwise the id of the first key of its rotation chain.
   */
  readonly quotaId: string;
  /** The id of the key that replaced this one. */
  readonly rotatedTo: string | null;
  /**
   * Set for keys that were rotated until quiet: the time of the rotation. The key then ends as soon as it is no longer
   * used, and at `expiresAt` at the latest. Null for all other keys, and after the key has ended.
   */
  readonly quietSince: number | null;
  /**
   * The network that the key was last used from, such as 203.0.113.0/24. This is personal data, so it is stored only
   * while `quietSince` is set.
   */
  readonly lastUsedFrom: string | null;
  /** Revision, as in `StoredPlan`. */
  readonly revision: number;
}

/**
 * Whether the audit log shows a field. The last use is not shown, because using a key is not a change by an operator.
 */
const RECORDED_FIELDS: Readonly<Record<keyof Key, boolean>> = {
  id: true,
  name: true,
  owner: true,
  plan: true,
  limits: true,
  concurrent: true,
  operations: true,
  addresses: true,
  kind: true,
  token: true,
  validation: true,
  prefix: true,
  lastFour: true,
  externalId: true,
  status: true,
  metadata: true,
  createdAt: true,
  expiresAt: true,
  quotaId: true,
  rotatedTo: true,
  quietSince: true,
  lastUsedAt: false,
  lastUsedFrom: false,
  hash: false,
  revision: false,
};

/** An explicit list, so that a secret passed along with a key is never recorded. */
export const recordedKeyFields = Object.entries(RECORDED_FIELDS).flatMap(([field, isRecorded]) =>
  isRecorded ? [field] : [],
);

export type NewKey = Omit<Key, 'revision' | 'rotatedTo' | 'quietSince' | 'lastUsedAt' | 'lastUsedFrom'>;

/** The fields that a rotation gives the new key. The new key inherits everything else from the old one. */
export type Successor = Pick<Key, 'id' | 'kind' | 'hash' | 'prefix' | 'lastFour' | 'createdAt'>;

/** The fields of a key that the request path needs. */
type KeyTerms = Pick<
  Key,
  'id' | 'kind' | 'token' | 'quotaId' | 'owner' | 'plan' | 'status' | 'expiresAt' | 'quietSince' | ChainTerm
>;

/** The fields of a plan that the request path needs. */
type PlanTerms = Pick<Plan, 'limits' | 'concurrent' | 'custom' | 'mode' | 'onStoreFailure' | 'operations'>;

/** The fields that an operator sets when creating a key, and may change later. */
export type EditableKey = Pick<Key, 'name' | 'plan' | 'expiresAt' | 'metadata' | ChainTerm>;

/** The fields, in addition to the plan, that all keys of a rotation chain share. */
export const CHAIN_TERMS = ['limits', 'concurrent', 'operations', 'addresses', 'validation'] as const;
export type ChainTerm = (typeof CHAIN_TERMS)[number];

/** Omitted fields do not change. */
export type KeyPatch = Partial<EditableKey & Pick<Key, 'status'>>;

export interface KeyUpdateOptions {
  /** The revision that the key must have; otherwise the update is refused with `conflict`. */
  readonly revision?: number | undefined;
  /** Whether status, plan and limits also change for the keys that replaced this one. */
  readonly wholeChain?: boolean | undefined;
  /** Whether revoking or disabling a key does the same to the keys that it replaced; true if omitted. */
  readonly predecessors?: boolean | undefined;
}

export interface RotateOptions {
  /** When the old key expires, in ms since the Unix epoch. */
  readonly oldExpiresAt: number;
  /** Whether the old key ends as soon as it is no longer used, if that is before `oldExpiresAt`. */
  readonly untilQuiet?: boolean | undefined;
  /** A rotation beyond these bounds is refused with `too_many_keys`, or with `rate_limit_exceeded`. */
  readonly bounds?: ChainBounds | undefined;
}

/** Bounds of a rotation chain, for rotations by users who are not trusted. */
export interface ChainBounds {
  /** Maximum number of keys in the chain, whatever their status. */
  readonly maxKeys: number;
  /** Maximum number of keys that were replaced and still work. */
  readonly maxReplaced: number;
  /** Maximum number of keys created for the same quota within 24 hours. */
  readonly maxPerDay: number;
}

export interface KeyFilter extends TimedFilter {
  readonly owner?: string | undefined;
  readonly plan?: string | undefined;
  readonly status?: KeyStatus | undefined;
  readonly quotaId?: string | undefined;
  readonly kind?: KeyKind | undefined;
  /** `tokens[].issuer`: only the callers of this issuer. */
  readonly tokenIssuer?: string | undefined;
  /** `tokens[].name` when the caller was created: only callers of an issuer that is no longer configured. */
  readonly tokenName?: string | undefined;
  /** Only the keys that the key with this id replaced, directly or not; none if that key does not exist. */
  readonly replacedBy?: string | undefined;
  /** Part of name, owner, id or prefix, case-insensitive, at least 3 characters. */
  readonly search?: string | undefined;
}

/** Conditions that a key can start or stop meeting just because time passes. */
export interface TimedFilter {
  /**
   * Keys that were not used since this time, in ms since the Unix epoch. Revoked keys are left out if the filter has no
   * status.
   */
  readonly unusedSince?: number | undefined;
  /**
   * Bounds of the expiry, in ms since the Unix epoch: `expiresAfter` is exclusive, `expiresUntil` is inclusive. Revoked
   * keys are left out as for `unusedSince`.
   */
  readonly expiresAfter?: number | undefined;
  readonly expiresUntil?: number | undefined;
  /** Whether another key has replaced this one. Revoked keys are left out as for `unusedSince`. */
  readonly isReplaced?: boolean | undefined;
  /** Keys of these quotas. Revoked keys are left out as for `unusedSince`. */
  readonly quotaIds?: readonly string[] | undefined;
}

export type KeySort = 'createdAt' | 'name' | 'owner' | 'plan' | 'status' | 'expiresAt' | 'lastUsedAt';

export type KeyOrder = Order<KeySort>;

export interface KeyPage extends Page<Key> {
  /** Number of matching keys; null on all pages but the first, and if counting the keys would take long. */
  readonly total: number | null;
}

/** An owner and a summary of its keys. */
export interface Owner {
  readonly owner: string;
  /** All keys, including revoked ones. */
  readonly keys: number;
  readonly activeKeys: number;
  /** Ids of the plans of its keys that are not revoked, sorted. */
  readonly plans: readonly string[];
  /** Last use of any of its keys, in ms since the Unix epoch; null: never. Accurate to the minute. */
  readonly lastUsedAt: number | null;
}

export type OwnerOrder = Order<'owner' | 'keys' | 'activeKeys' | 'lastUsedAt' | 'requests'>;

/** The fields that the creator of a key sets; the rest is generated. */
export type NewKeyFields = Pick<NewKey, 'owner'> & EditableKey & Partial<Pick<NewKey, 'externalId'>>;

/** The terms of a key that is restricted only by its plan. */
export const UNRESTRICTED = {
  limits: null,
  concurrent: null,
  operations: null,
  addresses: null,
  validation: null,
} as const;

/** A new key that begins its own rotation chain. Nothing is stored yet. */
export function generateKey(fields: NewKeyFields, createdAt: number): { key: NewKey; secret: string } {
  const { successor, secret } = generateSuccessor(createdAt);
  return { key: createFirstKey(fields, successor), secret };
}

/** A new key whose secret is in use elsewhere. Nothing is stored yet. */
export function createImportedKey(fields: NewKeyFields, preview: KeyPreview, createdAt: number): NewKey {
  const kind = preview.prefix.startsWith(BRAND) ? 'secret' : 'foreign';
  return createFirstKey(fields, { id: generateKeyId(), kind, ...preview, createdAt });
}

function createFirstKey({ externalId = null, ...fields }: NewKeyFields, successor: Successor): NewKey {
  return { ...fields, externalId, status: 'active', token: null, quotaId: successor.id, ...successor };
}

/** The new values of a key that replaces another. Nothing is stored yet. */
export function generateSuccessor(createdAt: number): { successor: Successor; secret: string } {
  const secret = generateSecret();
  return { successor: { id: generateKeyId(), kind: 'secret', ...createKeyPreview(secret), createdAt }, secret };
}

/** The terms of a revoked key whose plan was deleted. The key admits nothing, so these limits are only shown. */
const TERMS_WITHOUT_PLAN = { limits: { minute: 1, day: 1 }, mode: 'enforce', onStoreFailure: 'closed' } as const;

/**
 * @param plan null if the plan was deleted: a revoked key may outlive its plan
 * @throws StoreUnavailable if a key that is not revoked has no plan or limits: the database has lost data
 */
export function toCredential(key: KeyTerms, plan: PlanTerms | null): Credential {
  const limits = plan === null ? null : plan.custom ? key.limits : plan.limits;
  if (limits === null && key.status !== 'revoked') {
    throw new StoreUnavailable(`plan ${key.plan}, or the limits of key ${key.id}, are missing from the database`);
  }
  const terms = plan ?? TERMS_WITHOUT_PLAN;
  return Object.freeze({
    keyId: key.id,
    kind: key.kind,
    token: key.token === null ? null : toKeyToken(key.token),
    quotaId: key.quotaId,
    owner: key.owner,
    plan: key.plan,
    limits: Object.freeze(limits ?? TERMS_WITHOUT_PLAN.limits),
    concurrent: chooseLowerLimit(key.concurrent, plan?.concurrent ?? null),
    mode: terms.mode,
    onStoreFailure: terms.onStoreFailure,
    status: key.status,
    expiresAt: key.expiresAt,
    planOperations: plan?.operations ?? null,
    keyOperations: key.operations,
    addresses: key.addresses,
    validation: key.validation,
    endNotice: key.quietSince === null || key.expiresAt === null ? null : new Date(key.expiresAt).toUTCString(),
  });
}

export function toKeyToken({ name, caller, claim }: StoredToken): KeyToken {
  return Object.freeze({ name, caller, claim });
}

/** @throws RegistryError `plan_not_found`, `limits_mismatch` */
export function checkNewKey(key: NewKey, plan: Plan | null): void {
  if (plan === null) throw createPlanNotFoundError(key.plan);
  checkKeyLimits(plan, key.limits);
}

/**
 * The key with the patch applied. A key that moves to a plan with limits loses its own limits.
 *
 * @param plan the key's plan after the patch; null if it does not exist (a revoked key may outlive its plan)
 * @throws RegistryError `conflict`, `plan_not_found`, `limits_mismatch`
 */
export function applyPatch(key: Key, patch: KeyPatch, plan: Plan | null): Key {
  const status = patch.status ?? key.status;
  if (key.status === 'revoked' && status !== 'revoked') {
    throw new RegistryError('conflict', `key ${key.id} is permanently revoked: create a new key`);
  }
  const expiresAt = patch.expiresAt === undefined ? key.expiresAt : patch.expiresAt;
  if (key.rotatedTo !== null && expiresAt === null) {
    throw new RegistryError(
      'conflict',
      `key ${key.id} was replaced by ${key.rotatedTo}, so its expiry cannot be removed`,
    );
  }
  return { ...key, ...patch, ...pickQuietSince(key, status), limits: applyLimitsPatch(key, patch, plan) };
}

/** A revoked key has ended, so nothing waits any longer for it to become quiet. */
export function pickQuietSince({ quietSince }: Key, status: KeyStatus): Pick<Key, 'quietSince'> {
  return { quietSince: status === 'revoked' ? null : quietSince };
}

function applyLimitsPatch(key: Key, patch: KeyPatch, plan: Plan | null): Limits | null {
  const changesPlan = patch.plan !== undefined && patch.plan !== key.plan;
  if (!changesPlan && patch.limits === undefined) return key.limits;
  if (plan === null) throw createPlanNotFoundError(patch.plan ?? key.plan);
  const keptLimits = changesPlan && !plan.custom ? null : key.limits;
  const limits = patch.limits === undefined ? keptLimits : patch.limits;
  checkKeyLimits(plan, limits);
  return limits;
}

export function createKeyNotFoundError(id: string): RegistryError {
  return new RegistryError('key_not_found', `there is no key ${id}`);
}
