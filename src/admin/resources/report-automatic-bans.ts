import type { Logger } from 'pino';
import type { Decision } from '../../admission/decide.ts';
import type { Exchange } from '../../pipeline/exchange.ts';
import type { Registry } from '../../registry/registry.ts';
import { createBanRecorder, type RecordAutomaticBan } from '../../registry/audit/ban-record.ts';
import { toDateTime } from '../../base/date-time.ts';

/** Reports automatic bans, in the log and in the audit log. No request waits for it. */
export class AutomaticBans {
  readonly #record: RecordAutomaticBan;
  readonly #logger: Logger;
  readonly #pendingWrites = new Set<Promise<void>>();

  constructor(registry: Registry, logger: Logger) {
    this.#record = createBanRecorder(registry, logger);
    this.#logger = logger;
  }

  readonly started = ({ credential, requestId }: Exchange, decision: Decision): void => {
    const { ban, strikes } = decision;
    // In shadow mode a ban is only reported, in the log line of the response.
    if (credential === null || ban === null) return;
    const { keyId, quotaId, owner, plan } = credential;
    const whose = { requestId, keyId, quotaId, owner, plan };
    this.#logger.warn({ ...whose, strikes, banLevel: ban.level, until: toDateTime(ban.until) }, 'ban started');
    const writing = this.#record(credential, decision).finally(() => this.#pendingWrites.delete(writing));
    this.#pendingWrites.add(writing);
  };

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }
}
