import { isDeepStrictEqual } from 'node:util';
import { narrower, sameLimits } from '../../domain/quota-limits.ts';
import { toDateTime } from '../../base/time.ts';
import { gatewayEvent, type GatewayEventData } from '../events/gateway-events.ts';
import type { NewEvent } from '../events/event.ts';
import type { ChangeContext } from './audit-log.ts';
import type { Key } from './key.ts';
import type { Plan } from '../../domain/plan.ts';

/** The events for changes to keys and plans. `at` is ms since the Unix epoch. */

type Terms = GatewayEventData<'plan.changed'>['before'];

export function keyCreated(key: Key, at: number): NewEvent {
  return gatewayEvent('key.created', keyData(key), aboutKey(key, at));
}

/** One event for both keys. It implies that the new key was created, so there is no `key.created` event. */
export function keyRotated(old: Key, successor: Key, at: number): NewEvent {
  const expiresAt = toDateTime(old.expiresAt ?? at);
  const graceUntil = old.quietSince === null ? null : ('quiet' as const);
  const data = { key: keyData(successor), replaced: { id: old.id, expiresAt, graceUntil } };
  return gatewayEvent('key.rotated', data, aboutKey(successor, at));
}

/** @param key the key after it has ended */
export function keyRetired(key: Key, cause: 'quiet' | 'latest_end', at: number): NewEvent {
  const data = { ...keyData(key), replacedBy: key.rotatedTo ?? '', lastUsedAt: toDateTime(key.lastUsedAt), cause };
  return gatewayEvent('key.retired', data, aboutKey(key, at));
}

export function keyExpiring(key: Key, daysLeft: number, at: number): NewEvent {
  return gatewayEvent('key.expiring', { ...keyData(key), daysLeft }, aboutKey(key, at));
}

/**
 * The event for a changed key: `key.revoked` if it was revoked, otherwise `plan.changed` if its terms changed. The
 * terms of a revoked key do not matter.
 *
 * @param plans the plans of the key before and after the change, by id; only needed if its terms changed
 */
export function keyChanged(
  before: Key,
  after: Key,
  plans: ReadonlyMap<string, Plan>,
  { actor, reason, at }: ChangeContext,
): NewEvent[] {
  const about = aboutKey(after, at);
  if (after.status === 'revoked') {
    if (before.status === 'revoked') return [];
    // An operator's reason is only for the audit log.
    const holder = actor === after.id ? { reason } : null;
    return [gatewayEvent('key.revoked', { ...keyData(after), holder }, about)];
  }
  const isSame =
    before.plan === after.plan &&
    sameLimits(before.limits, after.limits) &&
    before.concurrent === after.concurrent &&
    sameSelectors(before.operations, after.operations);
  if (isSame) return [];
  const terms = (key: Key): Terms => {
    const plan = plans.get(key.plan);
    return {
      plan: key.plan,
      limits: key.limits ?? plan?.limits ?? null,
      concurrent: narrower(key.concurrent, plan?.concurrent ?? null),
      operations: selectors(plan?.operations ?? null),
      keyOperations: selectors(key.operations),
    };
  };
  return [gatewayEvent('plan.changed', { keyId: after.id, before: terms(before), after: terms(after) }, about)];
}

/** The event for a changed plan. Only changes to limits and operations have an event. */
export function planChanged(before: Plan, after: Plan, at: number): NewEvent[] {
  const haveSameLimits = sameLimits(before.limits, after.limits) && before.concurrent === after.concurrent;
  if (haveSameLimits && sameSelectors(before.operations, after.operations)) return [];
  const terms = ({ id, limits, concurrent, operations }: Plan): Terms => ({
    plan: id,
    limits,
    concurrent,
    operations: selectors(operations),
    keyOperations: null,
  });
  const data = { keyId: null, before: terms(before), after: terms(after) };
  return [gatewayEvent('plan.changed', data, { subject: after.id, owner: null, at })];
}

function selectors(from: readonly string[] | null): string[] | null {
  return from && [...from];
}

/** Whether two lists have the same selectors, in any order. */
function sameSelectors(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return isDeepStrictEqual(one?.toSorted(), other?.toSorted());
}

function aboutKey({ id, owner }: Key, at: number) {
  return { subject: id, owner, at };
}

/** Copies each field by name, so that neither the hash nor a secret passed along with a key is ever published. */
function keyData({ id, name, owner, plan, limits, prefix, lastFour, expiresAt }: Key): GatewayEventData<'key.created'> {
  const expires = expiresAt === null ? null : toDateTime(expiresAt);
  return { id, name, owner, plan, limits, prefix, lastFour, expiresAt: expires };
}
