import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import { listWindows } from '../../domain/quota-limits.ts';
import { toDateTime } from '../../base/time.ts';
import type { BanView, Decision, DecisionObserver, WindowView } from '../../data-plane/boundary-types.ts';
import type { NewEvent } from '../events/event.ts';
import { createAutomaticBanEvent, type BanEvidence, type BannedKey, createStartEntry } from './ban-record.ts';
import type { Credential } from '../../domain/credential.ts';
import type { Registry } from './registry.ts';

/**
 * Time in which the gateway that started a ban reports it. After that, any gateway that notices the ban may report it.
 */
const REPORTED_WITHIN_MS = 10_000;
/**
 * Maximum number of quotas whose reported ban is remembered. Forgetting a ban is harmless, because the outbox detects
 * repeats.
 */
const MAX_REPORTED = 10_000;
/** Maximum number of pending writes. Beyond it, a late report waits for the next call that the ban refuses. */
const MAX_PENDING_WRITES = 100;
/** The reason and message of a ban whose start no gateway saw: the number of calls is unknown. */
const UNSEEN_CAUSE = 'too many calls without waiting for Retry-After';

/**
 * Reports automatic bans: in the log, in the audit log and as events. No request waits for a report.
 *
 * The start of a ban may not have been reported, because the store's response was lost or the gateway died. It is then
 * reported with the next call that the ban refuses, and only once, however many gateways notice the ban.
 */
export class AutomaticBans {
  readonly #registry: Registry;
  readonly #recordBan: RecordAutomaticBan;
  readonly #noteEvent: (event: NewEvent) => void;
  readonly #logger: Logger;
  readonly #pendingWrites = new Set<Promise<void>>();
  /** Start of the latest ban that has been, or is being, reported, by quota id. */
  readonly #reportedStarts = new LRUCache<string, number>({ max: MAX_REPORTED });

  constructor(registry: Registry, noteEvent: (event: NewEvent) => void, logger: Logger) {
    this.#registry = registry;
    this.#recordBan = createBanRecorder(registry, logger);
    this.#noteEvent = noteEvent;
    this.#logger = logger;
  }

  /**
   * Called for every decision, but acts only if a ban refused the request. In shadow mode, a ban only appears in the
   * log line of the response.
   */
  readonly observe: DecisionObserver = (decision, credential, _cost, requestId) => {
    const { ban, outcome, admitted } = decision;
    if (admitted || outcome !== 'banned' || ban === null) return;
    if (decision.banStarted) this.#reportStart(credential, ban, decision, requestId);
    else if (this.#needsLateReport(credential, ban, decision)) this.#track(this.#reportLate(credential, ban));
  };

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }

  #reportStart(credential: Credential, ban: BanView, decision: Decision, requestId: string): void {
    const { strikes } = decision;
    this.#logStart(credential, ban, { requestId, strikes });
    this.#reportedStarts.set(credential.quotaId, ban.from);
    // An event waits until the database accepts it, but an audit entry does not, so they are written separately.
    this.#noteEvent(
      createAutomaticBanEvent(credential, ban, { ...toReasonAndMessage(describeCause(decision)), at: decision.now }),
    );
    this.#track(this.#recordBan(credential, decision));
  }

  #needsLateReport({ quotaId }: Credential, { from, manual }: BanView, { now, degraded }: Decision): boolean {
    // While the shared store is unavailable, each gateway has its own bans, and these are not reported late.
    if (manual || degraded === true || now - from < REPORTED_WITHIN_MS) return false;
    return this.#reportedStarts.get(quotaId) !== from && this.#pendingWrites.size < MAX_PENDING_WRITES;
  }

  async #reportLate(credential: Credential, ban: BanView): Promise<void> {
    const { quotaId } = credential;
    const auditContext = { ...toReasonAndMessage(UNSEEN_CAUSE), at: ban.from };
    this.#reportedStarts.set(quotaId, ban.from);
    try {
      const entry = createStartEntry({ actor: 'system', ...auditContext }, credential, ban, null, null);
      const isNew = await this.#registry.appendBan(entry, createAutomaticBanEvent(credential, ban, auditContext));
      if (isNew) this.#logStart(credential, ban, {});
    } catch (error) {
      // The next call tries again.
      this.#reportedStarts.delete(quotaId);
      if (!(error instanceof StoreUnavailable))
        this.#logger.error({ err: error, quotaId }, 'a ban could not be recorded');
    }
  }

  #logStart({ keyId, quotaId, owner, plan }: Credential, ban: BanView, extraFields: object): void {
    const logFields = { keyId, quotaId, owner, plan, banLevel: ban.level, until: toDateTime(ban.until) };
    this.#logger.warn({ ...extraFields, ...logFields }, 'ban started');
  }

  #track(work: Promise<void>): void {
    const pendingWrite = work.finally(() => this.#pendingWrites.delete(pendingWrite));
    this.#pendingWrites.add(pendingWrite);
  }
}

/** Called for every decision with `banStarted`. Never rejects. */
type RecordAutomaticBan = (key: BannedKey, decision: Decision) => Promise<void>;

/**
 * Records automatic bans in the audit log. A ban applies even if its entry cannot be written. In that case, the whole
 * entry goes to the log.
 */
export function createBanRecorder(registry: Pick<Registry, 'appendAudit'>, logger: Logger): RecordAutomaticBan {
  return async function recordAutomaticBan(key, decision) {
    const { ban, banStarted, now } = decision;
    // In shadow mode, no ban was started, so there is nothing to record.
    if (!banStarted || ban === null) return;
    const change = { actor: 'system', ...toReasonAndMessage(describeCause(decision)), at: now };
    const entry = createStartEntry(change, key, ban, collectEvidence(decision), null);
    try {
      await registry.appendAudit(entry);
    } catch (error) {
      logger.error({ err: error, entry }, 'a ban could not be written to the audit log');
    }
  };
}

function describeCause({ strikes }: Pick<Decision, 'strikes'>): string {
  return `${strikes} calls without waiting for Retry-After`;
}

/** The reason is for operators, the message for customers. For an automatic ban, both are the same text. */
function toReasonAndMessage(cause: string) {
  return { reason: cause, message: cause };
}

function collectEvidence(decision: Decision): BanEvidence {
  const windows = listWindows<WindowView>(decision).map(({ name, view: { limit, used, resetAt } }) => {
    return { name, limit, used, resetsAt: toDateTime(resetAt) };
  });
  return { strikes: decision.strikes, windows };
}
