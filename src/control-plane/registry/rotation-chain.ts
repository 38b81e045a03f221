import { RegistryError } from '../../domain/registry-error.ts';
import { isDeepStrictEqual } from 'node:util';
import { toDateTime } from '../../base/time.ts';
import {
  CHAIN_TERMS,
  type ChainBounds,
  type ChainTerm,
  type Key,
  pickQuietSince,
  type KeyPatch,
  type NewKey,
  applyPatch,
  type RotateOptions,
  type Successor,
} from './key.ts';
import type { Plan } from '../../domain/plan.ts';

/**
 * Rotation chains. Each key of a chain replaced the key before it, and the replaced key stays valid for its grace
 * period. All keys of a chain share their terms.
 */

/**
 * The two records that result from a rotation. The successor inherits from the key as it is in the registry now, so
 * that a change made after the caller read the key is not undone.
 *
 * @param now ms since the Unix epoch
 * @throws RegistryError `conflict` if the key was already rotated, is not active, or has expired
 */
export function applyRotation(
  key: Key,
  successor: Successor,
  { oldExpiresAt, untilQuiet = false, now }: RotateOptions & { readonly now: number },
): { old: Key; successor: NewKey } {
  if (key.kind === 'token') {
    throw new RegistryError('conflict', `key ${key.id} is a caller with access tokens: it has no secret to replace`);
  }
  if (key.rotatedTo !== null) {
    throw new RegistryError('conflict', `key ${key.id} was already rotated: rotate its successor ${key.rotatedTo}`);
  }
  if (key.status !== 'active') {
    throw new RegistryError('conflict', `key ${key.id} is ${key.status}: only an active key can be rotated`);
  }
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw new RegistryError(
      'conflict',
      `key ${key.id} expired at ${toDateTime(key.expiresAt)}, and its successor would expire too: change its expiry first, ` +
        'or create a new key',
    );
  }
  const { id, kind, hash, prefix, lastFour, createdAt } = successor;
  const { revision, rotatedTo, quietSince, lastUsedAt, lastUsedFrom, ...inherited } = key;
  const expiresAt = Math.min(key.expiresAt ?? Infinity, oldExpiresAt);
  return {
    old: { ...key, rotatedTo: id, expiresAt, quietSince: untilQuiet ? now : null },
    successor: { ...inherited, externalId: null, id, kind, hash, prefix, lastFour, createdAt },
  };
}

/**
 * @param chain oldest first
 * @param key the key to replace; it will expire at `oldExpiresAt`
 * @throws RegistryError `too_many_keys`
 */
export function checkChainBounds(
  { maxKeys, maxReplaced }: ChainBounds,
  chain: readonly Key[],
  { key, oldExpiresAt, now }: { readonly key: Key; readonly oldExpiresAt: number; readonly now: number },
): void {
  if (chain.length >= maxKeys) {
    throw new RegistryError(
      'too_many_keys',
      `key ${key.id} has reached the maximum of ${maxKeys} rotations: create a new key instead`,
    );
  }
  const workingKeys = chain.filter(
    ({ rotatedTo, status, expiresAt }) => rotatedTo !== null && status === 'active' && (expiresAt ?? Infinity) > now,
  );
  if (oldExpiresAt > now && workingKeys.length >= maxReplaced) {
    throw new RegistryError(
      'too_many_keys',
      `${workingKeys.length} keys that key ${key.id} replaced still work: revoke one, or expire key ${key.id} at once ` +
        '(graceSeconds: 0)',
    );
  }
}

interface ChainPatch {
  /** See `applyPatch`. */
  readonly plan: Plan | null;
  /** Whether the keys that replaced this one change too. */
  readonly wholeChain: boolean;
  /** Whether the status of the key also applies to the keys that it replaced. Plan and limits always apply to them. */
  readonly predecessors: boolean;
}

/**
 * The changes to a rotation chain when one key is changed: the key itself, and the keys that share its new terms or
 * status.
 *
 * @param chain oldest first
 * @throws RegistryError like `applyPatch`; `conflict` if the plan or limits of a replaced key would change
 */
export function applyChainPatch(
  chain: readonly Key[],
  key: Key,
  patch: KeyPatch,
  { plan, wholeChain, predecessors }: ChainPatch,
): { before: Key; after: Key }[] {
  const after = applyPatch(key, patch, plan);
  const newest = chain.at(-1);
  const patchesTerms = hasTermChanges(patch);
  if (patchesTerms && !wholeChain && newest !== undefined && newest.id !== key.id && !haveSameTerms(key, after)) {
    throw new RegistryError(
      'conflict',
      `key ${key.id} was replaced, and plan, limits, concurrent, operations, addresses and validation belong to its rotation chain: ` +
        `change ${newest.id}, the newest key, or the whole chain (chain=true)`,
    );
  }
  // Another key of the chain may have leaked, so enabling one key must not enable the others.
  const patchesStatus = patch.status !== undefined && (wholeChain || (predecessors && patch.status !== 'active'));
  const sharedFields: Partial<Pick<Key, 'plan' | 'status' | ChainTerm>> = {
    ...(patchesTerms ? pickTerms(after) : {}),
    ...(patchesStatus ? { status: after.status } : {}),
  };
  const affectedKeys = wholeChain ? chain : chain.slice(0, chain.indexOf(key));
  return [
    { before: key, after },
    ...affectedKeys
      .filter(({ id, status }) => id !== key.id && status !== 'revoked')
      .map((before) => ({
        before,
        after: { ...before, ...sharedFields, ...pickQuietSince(before, sharedFields.status ?? before.status) },
      })),
  ];
}

/** Whether a patch sets any of the terms that all keys of a chain share. */
export function hasTermChanges(patch: KeyPatch): boolean {
  return patch.plan !== undefined || CHAIN_TERMS.some((term) => patch[term] !== undefined);
}

function pickTerms({
  plan,
  limits,
  concurrent,
  operations,
  addresses,
  validation,
}: Key): Pick<Key, 'plan' | ChainTerm> {
  return { plan, limits, concurrent, operations, addresses, validation };
}

function haveSameTerms(one: Key, other: Key): boolean {
  return isDeepStrictEqual(pickTerms(one), pickTerms(other));
}
