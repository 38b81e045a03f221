import type { KeyStatus } from '../../../base/credential.ts';
import type { Limits } from '../../../base/limits.ts';
import type { Page } from '../../../base/paging.ts';
import type { StoredPlan } from '../plans/plan.ts';

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
  /**
   * Whose counters, strikes and bans this key shares: the account it was made for, else the first key of its rotation
   * chain.
   */
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

export interface RotateOptions {
  /** When the old key ends, in ms since the Unix epoch: after `graceSeconds` of the APIs, whose documents have its default. */
  readonly oldExpiresAt: number;
  /** Else refused with `too_many_keys`. */
  readonly bounds?: ChainBounds | undefined;
}

/** What a rotation chain may grow to, where those who rotate are not trusted. */
export interface ChainBounds {
  /** Keys in it, of whatever state. */
  readonly maxKeys: number;
  /** Keys that were replaced and still work. */
  readonly maxReplaced: number;
}

export interface KeyFilter {
  readonly owner?: string | undefined;
  readonly plan?: string | undefined;
  readonly status?: KeyStatus | undefined;
  /** Part of name, owner, id or prefix, case-insensitive, at least 3 characters. */
  readonly search?: string | undefined;
}

export interface KeyPage extends Page<Key> {
  /** How many keys match; null on a further page, and where counting them would take long. */
  readonly total: number | null;
}

/** Whose keys they are. */
export interface Owner {
  readonly owner: string;
  /** All keys, also those that are revoked. */
  readonly keys: number;
  readonly activeKeys: number;
}
