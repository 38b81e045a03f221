import { isDeepStrictEqual } from 'node:util';
import { chooseLowerLimit, areSameLimits } from '../../domain/quota-limits.ts';
import { toDateTime } from '../../base/time.ts';
import { createGatewayEvent, type GatewayEventData } from '../events/gateway-events.ts';
import type { NewEvent } from '../events/event.ts';
import type { ChangeContext } from './audit-log.ts';
import { type Key, toKeyToken } from './key.ts';
import type { Plan } from '../../domain/plan.ts';

/** The events for changes to keys and plans. `at` is ms since the Unix epoch. */

type Terms = GatewayEventData<'plan.changed'>['before'];

export function createKeyCreatedEvent(key: Key, at: number): NewEvent {
  return createGatewayEvent('key.created', toKeyData(key), createKeyContext(key, at));
}

/** One event for both keys. It implies that the new key was created, so there is no `key.created` event. */
export function createKeyRotatedEvent(old: Key, successor: Key, at: number): NewEvent {
  const expiresAt = toDateTime(old.expiresAt ?? at);
  const graceUntil = old.quietSince === null ? null : ('quiet' as const);
  const data = { key: toKeyData(successor), replaced: { id: old.id, expiresAt, graceUntil } };
  return createGatewayEvent('key.rotated', data, createKeyContext(successor, at));
}

/** @param key the key after it has ended */
export function createKeyRetiredEvent(key: Key, cause: 'quiet' | 'latest_end', at: number): NewEvent {
  const data = { ...toKeyData(key), replacedBy: key.rotatedTo ?? '', lastUsedAt: toDateTime(key.lastUsedAt), cause };
  return createGatewayEvent('key.retired', data, createKeyContext(key, at));
}

export function createKeyExpiringEvent(key: Key, daysLeft: number, at: number): NewEvent {
  return createGatewayEvent('key.expiring', { ...toKeyData(key), daysLeft }, createKeyContext(key, at));
}

/**
 * The event for a changed key: `key.revoked` if it was revoked, otherwise `plan.changed` if its terms changed. The
 * terms of a revoked key do not matter.
 *
 * @param plans the plans of the key before and after the change, by id; only needed if its terms changed
 */
export function createKeyChangedEvents(
  before: Key,
  after: Key,
  plans: ReadonlyMap<string, Plan>,
  { actor, reason, at }: ChangeContext,
): NewEvent[] {
  const context = createKeyContext(after, at);
  if (after.status === 'revoked') {
    if (before.status === 'revoked') return [];
    // An operator's reason is only for the audit log.
    const holder = actor === after.id ? { reason } : null;
    return [createGatewayEvent('key.revoked', { ...toKeyData(after), holder }, context)];
  }
  const hasSameTerms =
    before.plan === after.plan &&
    areSameLimits(before.limits, after.limits) &&
    before.concurrent === after.concurrent &&
    areSameSelectors(before.operations, after.operations);
  if (hasSameTerms) return [];
  const toTerms = (key: Key): Terms => {
    const plan = plans.get(key.plan);
    return {
      plan: key.plan,
      limits: key.limits ?? plan?.limits ?? null,
      concurrent: chooseLowerLimit(key.concurrent, plan?.concurrent ?? null),
      operations: copySelectors(plan?.operations ?? null),
      keyOperations: copySelectors(key.operations),
    };
  };
  return [
    createGatewayEvent('plan.changed', { keyId: after.id, before: toTerms(before), after: toTerms(after) }, context),
  ];
}

/** The event for a changed plan. Only changes to limits and operations have an event. */
export function createPlanChangedEvents(before: Plan, after: Plan, at: number): NewEvent[] {
  const haveSameLimits = areSameLimits(before.limits, after.limits) && before.concurrent === after.concurrent;
  if (haveSameLimits && areSameSelectors(before.operations, after.operations)) return [];
  const toTerms = ({ id, limits, concurrent, operations }: Plan): Terms => ({
    plan: id,
    limits,
    concurrent,
    operations: copySelectors(operations),
    keyOperations: null,
  });
  const data = { keyId: null, before: toTerms(before), after: toTerms(after) };
  return [createGatewayEvent('plan.changed', data, { subject: after.id, owner: null, at })];
}

function copySelectors(selectors: readonly string[] | null): string[] | null {
  return selectors && [...selectors];
}

/** Whether two lists have the same selectors, in any order. */
function areSameSelectors(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return isDeepStrictEqual(one?.toSorted(), other?.toSorted());
}

function createKeyContext({ id, owner }: Key, at: number) {
  return { subject: id, owner, at };
}

/** Copies each field by name, so that neither the hash nor a secret passed along with a key is ever published. */
function toKeyData(key: Key): GatewayEventData<'key.created'> {
  const { id, name, owner, plan, limits, kind, prefix, lastFour, expiresAt } = key;
  const token = key.token === null ? null : toKeyToken(key.token);
  const expiryTime = expiresAt === null ? null : toDateTime(expiresAt);
  return { id, name, owner, plan, limits, kind, token, prefix, lastFour, expiresAt: expiryTime };
}
