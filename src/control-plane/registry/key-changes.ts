import { RegistryError } from '../../domain/registry-error.ts';
import {
  appendAudit,
  type AuditAction,
  diffRecords,
  createAuditEntry,
  pickRecordedFields,
  chooseUpdateAction,
} from './audit-log.ts';
import { publish } from '../events/event-outbox.ts';
import {
  createKeyChangedEvents,
  createKeyCreatedEvent,
  createKeyRetiredEvent,
  createKeyRotatedEvent,
} from './change-events.ts';
import { checkNewKeys } from './daily-limits.ts';
import { announceKeys } from './invalidation.ts';
import { findChain, findChains, insertKeys, findKeysOfChain, findKeysOfChains, writeKey } from './key-rows.ts';
import type { KeyStatus } from '../../domain/credential.ts';
import { findPlanById, PLANS_LOCK, loadPlansById } from './plan-rows.ts';
import type { NewEvent } from '../events/event.ts';
import type { StoredPlan } from '../../domain/plan.ts';
import type { Tx } from '../../storage/tables.ts';
import {
  checkNewKey,
  type Key,
  createKeyNotFoundError,
  type KeyPatch,
  type KeyUpdateOptions,
  type NewKey,
  type RotateOptions,
  type Successor,
} from './key.ts';
import { hasTermChanges, checkChainBounds, applyChainPatch, applyRotation } from './rotation-chain.ts';
import { checkRevision, type WriteContext } from './write-context.ts';

/** Rows per statement: PostgreSQL allows at most 65,535 values, SQLite 32,766. */
const ROWS_PER_STATEMENT = 500;

export async function createKeys(context: WriteContext, keys: readonly NewKey[]): Promise<Key[]> {
  const { tx, dialect, announce } = context;
  await dialect.lockShared(tx, PLANS_LOCK);
  const plans = await loadPlansById(tx);
  for (const key of keys) checkNewKey(key, plans.get(key.plan) ?? null);
  const stored: Key[] = [];
  for (let from = 0; from < keys.length; from += ROWS_PER_STATEMENT) {
    stored.push(...(await addKeys(context, keys.slice(from, from + ROWS_PER_STATEMENT))));
  }
  announceKeys(
    announce,
    keys.map(({ hash }) => hash),
  );
  await publish(
    context,
    stored.map((key) => createKeyCreatedEvent(key, context.change.at)),
  );
  return stored;
}

export async function updateKey(
  context: WriteContext,
  id: string,
  patch: KeyPatch,
  { revision, wholeChain = false, predecessors = true }: KeyUpdateOptions,
): Promise<Key> {
  const { tx, dialect, change } = context;
  const areTermsPatched = hasTermChanges(patch);
  if (areTermsPatched) await dialect.lockShared(tx, PLANS_LOCK);
  const { keys, key } = await lockChain(context, id);
  checkRevision(`key ${id}`, key.revision, revision);
  const plan = await findPlanById(tx, patch.plan ?? key.plan);
  const plans = areTermsPatched ? await loadPlansById(tx) : new Map<string, StoredPlan>();
  const events: NewEvent[] = [];
  let result = key;
  for (const { before, after } of applyChainPatch(keys, key, patch, { plan, wholeChain, predecessors })) {
    const stored = await changeKey(context, before, after, chooseUpdateAction(before, after));
    events.push(...createKeyChangedEvents(before, stored, plans, change));
    if (before.id === id) result = stored;
  }
  await publish(context, events);
  return result;
}

/**
 * Disables, enables or revokes many keys. Like `updateKey`, it also disables or revokes the keys that these keys
 * replaced.
 *
 * @param from the statuses to change; keys with another status do not change
 * @returns the number of keys that changed
 */
export async function setStatuses(
  context: WriteContext,
  ids: readonly string[],
  { from, to }: { readonly from: readonly KeyStatus[]; readonly to: KeyStatus },
): Promise<number> {
  const { tx, dialect, change } = context;
  const chains = await findChains(tx, ids);
  // All bulk changes lock chains in the same order, so that two of them cannot wait for each other.
  for (const chain of new Set([...chains.values()].toSorted())) await dialect.lock(tx, `chain:${chain}`);
  const keysByChain = await findKeysOfChains(tx, [...new Set(chains.values())]);
  const changes: KeyChange[] = [];
  for (const [id, chain] of chains) {
    const keys = keysByChain.get(chain) ?? [];
    const key = keys.find((each) => each.id === id);
    if (key === undefined || !from.includes(key.status)) continue;
    const options = { plan: null, wholeChain: false, predecessors: true };
    for (const { before, after } of applyChainPatch(keys, key, { status: to }, options)) {
      // A replaced key does not change if a newer key is enabled, or if this loop has already changed it.
      if (diffRecords(before, after) === null) continue;
      changes.push({ before, after, action: chooseUpdateAction(before, after) });
      keys[keys.indexOf(before)] = after;
    }
  }
  const stored = await changeKeys(context, changes);
  const changed = changes.flatMap(({ before }, index) => {
    const after = stored[index]!;
    return after === before ? [] : [{ before, after }];
  });
  await publish(
    context,
    changed.flatMap(({ before, after }) => createKeyChangedEvents(before, after, new Map(), change)),
  );
  return changed.length;
}

export async function rotateKey(
  context: WriteContext,
  id: string,
  successor: Successor,
  { oldExpiresAt, untilQuiet, bounds }: RotateOptions,
): Promise<Key> {
  const { key, keys, chain } = await lockChain(context, id);
  const times = { oldExpiresAt, now: context.change.at };
  const rotation = applyRotation(key, successor, { ...times, untilQuiet });
  if (bounds !== undefined) {
    checkChainBounds(bounds, keys, { key, ...times });
    await checkNewKeys(context.tx, key.quotaId, bounds.maxPerDay, times.now);
  }
  const old = await changeKey(context, key, rotation.old, 'key.rotate');
  const [stored] = await addKeys(context, [rotation.successor], chain);
  announceKeys(context.announce, [successor.hash]);
  await publish(context, [createKeyRotatedEvent(old, stored!, context.change.at)]);
  return stored!;
}

/** Why a key that was replaced until quiet has ended. */
export interface QuietEnd {
  readonly cause: 'quiet' | 'latest_end';
  /** For the audit log. */
  readonly reason: string;
}

/**
 * Ends a key that was replaced until quiet, if `findCause` returns a cause. If the key has reached its deadline, it has
 * already expired, so this only deletes the notes about its uses.
 *
 * @returns whether this call has ended the key
 */
export async function endIfQuiet(
  context: WriteContext,
  id: string,
  findCause: (key: Key, successors: readonly Key[], tx: Tx) => Promise<QuietEnd | null>,
): Promise<boolean> {
  const { change, tx } = context;
  const { key, keys } = await lockChain(context, id);
  if (key.quietSince === null) return false;
  const end = await findCause(key, keys.slice(keys.indexOf(key) + 1), tx);
  if (end === null) return false;
  const expiresAt = Math.min(key.expiresAt ?? Infinity, change.at);
  const endedKey = { ...key, expiresAt, quietSince: null };
  const endContext = { ...context, change: { ...change, reason: end.reason } };
  await publish(context, [
    createKeyRetiredEvent(await changeKey(endContext, key, endedKey, 'key.retire'), end.cause, change.at),
  ]);
  return true;
}

/** Locks the chain: its keys cannot change until this transaction ends. */
async function lockChain({ tx, dialect }: WriteContext, id: string) {
  const chain = await findChain(tx, id);
  if (chain === null) throw createKeyNotFoundError(id);
  await dialect.lock(tx, `chain:${chain}`);
  const keys = await findKeysOfChain(tx, chain);
  const key = keys.find((each) => each.id === id);
  if (key === undefined) throw createKeyNotFoundError(id);
  return { chain, keys, key };
}

async function addKeys(context: WriteContext, keys: readonly NewKey[], chain?: string): Promise<Key[]> {
  const { tx, dialect, change } = context;
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw createTakenError();
  const entries = keys.map((key) => createAuditEntry(change, 'key.create', key.id, { after: pickRecordedFields(key) }));
  const revisions = await appendAudit(tx, entries);
  const stored = keys.map((key) => ({
    ...key,
    rotatedTo: null,
    quietSince: null,
    lastUsedAt: null,
    lastUsedFrom: null,
    revision: revisions.get(key.id) ?? 0,
  }));
  try {
    await insertKeys(tx, stored, chain);
  } catch (error) {
    throw dialect.isUniqueViolation(error) ? createTakenError() : error;
  }
  return stored;
}

async function changeKey(context: WriteContext, before: Key, after: Key, action: AuditAction): Promise<Key> {
  const [stored] = await changeKeys(context, [{ before, after, action }]);
  return stored!;
}

interface KeyChange {
  readonly before: Key;
  readonly after: Key;
  readonly action: AuditAction;
}

/** Each key may occur only once in `changes`. @returns the keys as stored; `before` itself if nothing changes */
async function changeKeys({ tx, announce, change }: WriteContext, changes: readonly KeyChange[]): Promise<Key[]> {
  const entries = changes.flatMap(({ before, after, action }) => {
    const changedFields = diffRecords(before, after);
    return changedFields === null ? [] : [createAuditEntry(change, action, before.id, changedFields)];
  });
  if (entries.length === 0) return changes.map(({ before }) => before);
  const revisions = await appendAudit(tx, entries);
  const stored: Key[] = [];
  for (const { before, after } of changes) {
    const revision = revisions.get(before.id);
    const writtenKey = revision === undefined ? before : { ...after, revision };
    stored.push(writtenKey);
    if (writtenKey === before) continue;
    await writeKey(tx, before, writtenKey);
    announceKeys(announce, [before.hash]);
  }
  return stored;
}

function createTakenError(): RegistryError {
  return new RegistryError(
    'conflict',
    'a key with this id or secret, or with this owner and externalId, already exists',
  );
}
