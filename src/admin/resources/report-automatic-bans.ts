import type { Logger } from 'pino';
import type { Decision } from '../../admission/decide.ts';
import type { Exchange } from '../../pipeline/exchange.ts';
import type { Registry } from '../../registry/registry.ts';
import type { NewEvent } from '../../events/event.ts';
import { bannedEvent } from '../../registry/audit/ban-events.ts';
import { automaticBanReason, createBanRecorder, type RecordAutomaticBan } from '../../registry/audit/ban-record.ts';
import { toDateTime } from '../../base/date-time.ts';

/** Reports automatic bans: in the log, in the audit log and as events. No request waits for it. */
export class AutomaticBans {
  readonly #record: RecordAutomaticBan;
  readonly #note: (event: NewEvent) => void;
  readonly #logger: Logger;
  readonly #pendingWrites = new Set<Promise<void>>();

  constructor(registry: Registry, note: (event: NewEvent) => void, logger: Logger) {
    this.#record = createBanRecorder(registry, logger);
    this.#note = note;
    this.#logger = logger;
  }

  readonly started = ({ credential, requestId }: Exchange, decision: Decision): void => {
    const { ban, strikes } = decision;
    // In shadow mode a ban is only reported, in the log line of the response.
    if (credential === null || ban === null) return;
    const { keyId, quotaId, owner, plan } = credential;
    const whose = { requestId, keyId, quotaId, owner, plan };
    this.#logger.warn({ ...whose, strikes, banLevel: ban.level, until: toDateTime(ban.until) }, 'ban started');
    // Not with the entry in the audit log: an event waits until the database takes it.
    this.#note(bannedEvent(credential, ban, { reason: automaticBanReason(decision), at: decision.now }));
    const writing = this.#record(credential, decision).finally(() => this.#pendingWrites.delete(writing));
    this.#pendingWrites.add(writing);
  };

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }
}
