import type { Logger } from 'pino';
import type { BanView, Decision } from '../../../data-plane/ports.ts';
import type { NewAuditEntry } from './audit-record.ts';
import type { Credential } from '../../../base/credential.ts';
import type { ChangeContext } from './audit-entry.ts';
import type { Registry } from '../registry.ts';
import { toDateTime } from '../../../base/time.ts';

/**
 * Bans in the audit log. The subject is the quota: a ban holds for all keys of a rotation chain, and can be lifted
 * through any of them.
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

export interface BanStart extends BanRecord {
  /** The key that was used, or that the operator named. */
  readonly keyId: string;
  /** Null for a manual ban, and for one whose start nobody saw. */
  readonly evidence: BanEvidence | null;
}

/** Why an automatic ban began. */
export interface BanEvidence {
  /** Refused calls made before the time given by `Retry-After`. */
  readonly strikes: number;
  /** The windows at the time of the last strike. */
  readonly windows: readonly { name: string; limit: number; used: number; resetsAt: string }[];
}

export function banRecord({ from, until, level, manual }: BanView): BanRecord {
  return { from: toDateTime(from), until: toDateTime(until), level, manual };
}

/** @param replaced the ban that was running, if any */
export function startEntry(
  change: ChangeContext,
  { keyId, quotaId }: BannedKey,
  ban: BanView,
  evidence: BanEvidence | null,
  replaced: BanView | null,
): NewAuditEntry {
  const after: BanStart = { keyId, ...banRecord(ban), evidence };
  const before = replaced && { ...banRecord(replaced) };
  return { ...change, action: BAN_START, subject: quotaId, before, after: { ...after } };
}

export function liftEntry(change: ChangeContext, { keyId, quotaId }: BannedKey, ended: BanView): NewAuditEntry {
  return { ...change, action: BAN_LIFT, subject: quotaId, before: { ...banRecord(ended) }, after: { keyId } };
}

export function readStart({ after }: NewAuditEntry): BanStart {
  return after as unknown as BanStart;
}

/** Whether two entries tell of the start of one ban. */
export function isSameBan(one: NewAuditEntry, other: NewAuditEntry): boolean {
  return one.subject === other.subject && identityOf(readStart(one)) === identityOf(readStart(other));
}

/** The ban that this entry ended, by `identityOf`; null if it ended none. */
export function endedBan({ before }: NewAuditEntry): string | null {
  return before === null ? null : identityOf(before as unknown as BanRecord);
}

/** Identifies a ban among those of its quota. */
export function identityOf({ from, until }: Pick<BanRecord, 'from' | 'until'>): string {
  return `${from} ${until}`;
}

/** Called for every decision with `banStarted`. Never rejects. */
export type RecordAutomaticBan = (key: BannedKey, decision: Decision) => Promise<void>;

/**
 * Records automatic bans in the audit log. A ban holds without its record: if the record cannot be written, all of it
 * goes to the log.
 */
export function createBanRecorder(registry: Registry, logger: Logger): RecordAutomaticBan {
  return async function recordAutomaticBan(key, decision) {
    const { ban, banStarted, strikes, now } = decision;
    // In shadow mode a ban is only reported.
    if (!banStarted || ban === null) return;
    const reason = automaticBanReason(decision);
    const evidence = { strikes, windows: windowsOf(decision) };
    const entry = startEntry({ actor: 'system', reason, at: now }, key, ban, evidence, null);
    try {
      await registry.appendAudit(entry);
    } catch (error) {
      logger.error({ err: error, entry }, 'a ban could not be written to the audit log');
    }
  };
}

export function automaticBanReason({ strikes }: Pick<Decision, 'strikes'>): string {
  return `${strikes} calls before the time given by Retry-After`;
}

function windowsOf(decision: Decision): BanEvidence['windows'] {
  return (['minute', 'day'] as const).map((name) => {
    const { limit, used, resetAt } = decision[name];
    return { name, limit, used, resetsAt: toDateTime(resetAt) };
  });
}
