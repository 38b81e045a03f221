import { span } from '../../../base/units.ts';
import type { AdmissionStore } from '../../../data-plane/boundary-types.ts';
import { type ActiveBans, findActiveBans } from '../../registry/ban-endings.ts';
import type { TimedFilter } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Schemas } from './admin-handlers.ts';
import { createBans } from './bans.ts';

/** Filters of the API whose meaning depends on the current time. */
export interface TimedConditions {
  /** A duration, such as 90d. */
  readonly unusedFor?: string | undefined;
  readonly expiresWithin?: string | undefined;
  readonly state?: Schemas['KeyState'] | undefined;
}

/**
 * Converts the conditions to the registry's filter at the time `now`. The state `banned` is left out, because it needs
 * the active bans.
 */
export function toTimedFilter({ unusedFor, expiresWithin, state }: TimedConditions, now: number): TimedFilter {
  return {
    ...(unusedFor === undefined ? {} : { unusedSince: now - span.parse(unusedFor) }),
    ...(expiresWithin === undefined
      ? {}
      : { expiresAfter: now, expiresUntil: now + span.parse(expiresWithin), isReplaced: false }),
    ...(state === 'expired' ? { expiresUntil: now } : {}),
    ...(state === 'rotating' ? { isReplaced: true, expiresAfter: now } : {}),
  };
}

/** Finds the active bans of an owner's keys, or of all keys if `owner` is undefined. */
export function findBansOfOwner(
  registry: Registry,
  store: AdmissionStore,
  owner: string | undefined,
  now: number,
): Promise<ActiveBans> {
  return findActiveBans(registry, createBans(registry, store).running, { quotasOf: owner }, now);
}
