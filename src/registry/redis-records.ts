import { StoreUnavailable } from '../admission/store.ts';
import type { NewAuditEntry } from './audit-record.ts';
import type { AuditEntry, Key, Plan, StoredPlan } from './registry.ts';

/**
 * Records as text. What a script reads or writes of a record stands before its JSON, as decimal digits of fixed width;
 * the JSON is opaque to it, so that no number passes through a Lua number, which would lose digits.
 *
 * A key: revision, last use (0: never), position, JSON. A plan: revision, JSON.
 */
const WIDTH = 16;

export interface KeptKey {
  readonly key: Key;
  /** Rises in the order of creation, never changes: what lists are sorted by. */
  readonly position: number;
}

/** Fields are named one by one, so that a secret that travels with a key is kept nowhere. */
export function keyJson(key: Omit<Key, 'revision' | 'lastUsedAt'>): string {
  const { id, name, owner, plan, limits, status, metadata, prefix, lastFour } = key;
  const { createdAt, expiresAt, quotaId, rotatedTo } = key;
  return JSON.stringify({
    id,
    name,
    owner,
    plan,
    limits,
    status,
    metadata,
    prefix,
    lastFour,
    createdAt,
    expiresAt,
    quotaId,
    rotatedTo,
  });
}

export function readKey(text: string, hash: string): KeptKey {
  const [revision, lastUsed, position] = [digits(text, 0), digits(text, 1), digits(text, 2)];
  const fields = readJson(text.slice(3 * WIDTH)) as Omit<Key, 'revision' | 'lastUsedAt' | 'hash'>;
  return { key: { ...fields, hash, lastUsedAt: lastUsed === 0 ? null : lastUsed, revision }, position };
}

export function planJson({ id, name, description, limits, custom, mode, onStoreFailure }: Plan): string {
  return JSON.stringify({ id, name, description, limits, custom, mode, onStoreFailure });
}

export function readPlan(text: string): StoredPlan {
  return { ...(readJson(text.slice(WIDTH)) as Plan), revision: digits(text, 0) };
}

export function entryJson({ at, actor, action, subject, reason, before, after }: NewAuditEntry): string {
  return JSON.stringify({ at, actor, action, subject, reason, before, after });
}

export function readEntry(text: string, sequence: number): AuditEntry {
  return { sequence, ...(readJson(text) as NewAuditEntry) };
}

/** A whole number from 0 to 2^53 - 1 as digits of fixed width. */
export function fixedDigits(value: number): string {
  return String(value).padStart(WIDTH, '0');
}

function digits(text: string, nth: number): number {
  const value = Number(text.slice(nth * WIDTH, (nth + 1) * WIDTH));
  if (!Number.isSafeInteger(value)) throw foreign();
  return value;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw foreign();
  }
}

function foreign(): StoreUnavailable {
  return new StoreUnavailable('Redis holds something under a name of the registry that the registry did not write');
}
