import type { Logger } from 'pino';
import type { Decision } from '../../admission/decide.ts';
import type { Exchange } from '../../pipeline/exchange.ts';
import type { Registry } from '../../registry/registry.ts';
import { createBanRecorder, type RecordAutomaticBan } from './ban-record.ts';
import { toDateTime } from '../http/date-time.ts';

/** Tells of the bans that begin by themselves, in the log and in the audit log. No request waits for it. */
export class AutomaticBans {
  readonly #record: RecordAutomaticBan;
  readonly #logger: Logger;
  readonly #writing = new Set<Promise<void>>();

  constructor(registry: Registry, logger: Logger) {
    this.#record = createBanRecorder(registry, logger);
    this.#logger = logger;
  }

  readonly started = ({ credential, requestId }: Exchange, decision: Decision): void => {
    const { ban, strikes } = decision;
    // In shadow mode a ban is only reported, by the line of the response.
    if (credential === null || ban === null) return;
    const { keyId, quotaId, owner, plan } = credential;
    const whose = { requestId, keyId, quotaId, owner, plan };
    this.#logger.warn({ ...whose, strikes, banLevel: ban.level, until: toDateTime(ban.until) }, 'ban started');
    const writing = this.#record(credential, decision).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  };

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
