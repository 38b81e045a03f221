import type { WindowName } from '../../domain/quota-limits.ts';
import { toDateTime } from '../../base/time.ts';
import type { BanView } from '../../data-plane/boundary-types.ts';
import type { ChangeContext, NewAuditEntry } from './audit-log.ts';
import type { Credential } from '../../domain/credential.ts';
import type { NewEvent } from '../events/event.ts';
import { createGatewayEvent, type GatewayEventData } from '../events/gateway-events.ts';

/**
 * The audit entries and events of bans. A ban applies to all keys of a quota, and can be lifted through any of them, so
 * the subject of an entry is the quota.
 */

export const BAN_START = 'ban.start';
export const BAN_LIFT = 'ban.lift';

export type BannedKey = Pick<Credential, 'keyId' | 'quotaId'>;

/** Times are RFC 3339. */
export interface BanRecord {
  readonly from: string;
  readonly until: string;
  readonly level: number;
  readonly manual: boolean;
}

interface BanStart extends BanRecord {
  /** The key that was used, or that the operator specified. */
  readonly keyId: string;
  /** Null for a manual ban, and for an automatic ban if no gateway saw its start. */
  readonly evidence: BanEvidence | null;
}

/** The strikes and windows that led to an automatic ban. */
export interface BanEvidence {
  /** Refused calls made before `Retry-After` had passed. */
  readonly strikes: number;
  /** The windows at the time of the last strike. */
  readonly windows: readonly { name: WindowName; limit: number; used: number; resetsAt: string }[];
}

/** The audit entry and event for the start or the lift of a ban. */
export interface RecordedBan {
  readonly entry: NewAuditEntry;
  readonly event: NewEvent;
}

export function toBanRecord({ from, until, level, manual }: BanView): BanRecord {
  return { from: toDateTime(from), until: toDateTime(until), level, manual };
}

/** @param replacedBan the active ban that the new one replaces, if any */
export function createStartEntry(
  change: ChangeContext,
  { keyId, quotaId }: BannedKey,
  ban: BanView,
  evidence: BanEvidence | null,
  replacedBan: BanView | null,
): NewAuditEntry {
  const after: BanStart = { keyId, ...toBanRecord(ban), evidence };
  const before = replacedBan && { ...toBanRecord(replacedBan) };
  return { ...change, action: BAN_START, subject: quotaId, before, after: { ...after } };
}

export function createLiftEntry(
  change: ChangeContext,
  { keyId, quotaId }: BannedKey,
  endedBan: BanView,
): NewAuditEntry {
  return { ...change, action: BAN_LIFT, subject: quotaId, before: { ...toBanRecord(endedBan) }, after: { keyId } };
}

export function readStart({ after }: NewAuditEntry): BanStart {
  return after as unknown as BanStart;
}

/**
 * The message to the customer about a ban. Entries of older gateways have only a reason. It is shown only if the ban
 * was automatic, because other reasons are for operators.
 */
export function findStartMessage(start: NewAuditEntry): string | null {
  return start.message ?? (readStart(start).manual ? null : start.reason);
}

/** Whether two entries report the start of the same ban. */
export function isSameBan(first: NewAuditEntry, second: NewAuditEntry): boolean {
  return first.subject === second.subject && identifyBan(readStart(first)) === identifyBan(readStart(second));
}

/** The identity (see `identifyBan`) of the ban that this entry ended; null if the entry ended no ban. */
export function identifyEndedBan({ before }: NewAuditEntry): string | null {
  return before === null ? null : identifyBan(before as unknown as BanRecord);
}

/** Returns a text that identifies a ban among the bans of its quota. */
export function identifyBan({ from, until }: Pick<BanRecord, 'from' | 'until'>): string {
  return `${from} ${until}`;
}

type BannedCredential = Pick<Credential, 'keyId' | 'quotaId' | 'owner'>;
type BanContext = Pick<ChangeContext, 'reason' | 'message' | 'at'>;

export function createBannedEvent(credential: BannedCredential, ban: BanView, context: BanContext): NewEvent {
  return createBanEvent('key.banned', credential, ban, context);
}

/** The event for an automatic ban. It is published only once, however many gateways notice the ban. */
export function createAutomaticBanEvent(credential: BannedCredential, ban: BanView, context: BanContext): NewEvent {
  return { ...createBannedEvent(credential, ban, context), uniqueKey: `key.banned ${credential.quotaId} ${ban.from}` };
}

/**
 * The event for a lifted ban. It is published only once.
 *
 * @param endedBan the lifted ban, with its original end
 */
export function createUnbannedEvent(credential: BannedCredential, endedBan: BanView, context: BanContext): NewEvent {
  const { from, until } = endedBan;
  return {
    ...createBanEvent('key.unbanned', credential, endedBan, context),
    uniqueKey: `key.unbanned ${credential.quotaId} ${from} ${until}`,
  };
}

/**
 * The data of an event, as JSON, as consumers receive it. The reason of a ban is removed, because it is for operators.
 * This also applies to events of older gateways, and to events from before bans had messages.
 */
export function redactForConsumers({ type, data }: { readonly type: string; readonly data: string }): string {
  if (type !== 'key.banned' && type !== 'key.unbanned') return data;
  const ban = JSON.parse(data) as GatewayEventData<typeof type>;
  // The reason for a lift always comes from an operator.
  const isAutomatic = type === 'key.banned' && !ban.manual;
  return JSON.stringify({ ...ban, reason: null, message: ban.message ?? (isAutomatic ? ban.reason : null) });
}

function createBanEvent(
  type: 'key.banned' | 'key.unbanned',
  { keyId, quotaId, owner }: BannedCredential,
  ban: BanView,
  { reason, message = null, at }: BanContext,
): NewEvent {
  return createGatewayEvent(
    type,
    { keyId, quotaId, ...toBanRecord(ban), reason, message },
    { subject: keyId, owner, at },
  );
}
