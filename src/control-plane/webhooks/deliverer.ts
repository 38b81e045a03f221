import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import { waitAtMost } from '../../base/awaitable.ts';
import type { Database } from '../../storage/database.ts';
import { BackgroundLoop } from './background-loop.ts';
import { claim, type ClaimedDelivery, type ClaimOptions, releaseLeases } from './claim.ts';
import { OutcomeWriter, type OutcomeOptions } from './outcome-writer.ts';
import type { Outcome, Sender } from './sender.ts';
import { DeliverySlots } from './delivery-slots.ts';

interface DelivererOptions extends OutcomeOptions {
  readonly claims: ClaimOptions;
  readonly sender: Sender;
  readonly logger: Logger;
  /** While this returns true, no new attempts are started. */
  readonly isStopping: () => boolean;
  /** Called after every attempt. */
  readonly onAttempt: (outcome: Outcome) => void;
  readonly pollMs: number;
}

/** Claims due deliveries, sends them, and records the results. */
export class Deliverer {
  readonly #database: Database;
  readonly #options: DelivererOptions;
  readonly #writer: OutcomeWriter;
  readonly #loop: BackgroundLoop;
  readonly #slots = new DeliverySlots(() => this.wake());
  readonly #running = new Map<ClaimedDelivery, Promise<void>>();
  #isAbandoned = false;

  constructor(database: Database, options: DelivererOptions) {
    const { logger, pollMs: everyMs } = options;
    this.#database = database;
    this.#options = options;
    this.#writer = new OutcomeWriter(database, options, logger);
    this.#loop = new BackgroundLoop(() => this.#claim(), { taskName: 'delivering events', everyMs, logger });
  }

  /** Looks for due deliveries. */
  readonly wake = (): void => {
    this.#loop.wake();
  };

  get failure(): string | null {
    return this.#loop.failure;
  }

  /** Number of running attempts. */
  get inFlight(): number {
    return this.#running.size;
  }

  /**
   * Stops claiming and waits for running deliveries. Releases deliveries that do not finish in time, so that another
   * gateway can send them immediately.
   */
  async close(waitMs: number): Promise<void> {
    await this.#loop.stop();
    await waitAtMost(waitMs, Promise.all(this.#running.values()));
    this.#isAbandoned = true;
    this.#writer.close();
    await this.#release([...this.#running.keys()]);
  }

  async #claim(): Promise<boolean> {
    const { freeSlots: limits, busyWebhooks: except, slowWebhooks } = this.#slots;
    if (Object.values(limits).every((limit) => limit === 0) || this.#options.isStopping()) return false;
    const claimed = await claim(this.#database, this.#options.claims, { limits, slowWebhooks, except });
    // The gateway may have begun to stop during the query.
    if (this.#options.isStopping()) {
      await this.#release(claimed);
      return false;
    }
    for (const delivery of claimed) this.#running.set(delivery, this.#deliver(delivery));
    return claimed.length > 0;
  }

  /** Never rejects. */
  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const releaseSlot = this.#slots.takeSlot(claimed.webhookId, claimed.standing);
    const outcome = await this.#options.sender.send(claimed.message);
    if (!this.#isAbandoned) {
      this.#options.onAttempt(outcome);
      await this.#writer.write({ claimed, outcome });
    }
    this.#running.delete(claimed);
    releaseSlot();
  }

  async #release(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0) return;
    try {
      await releaseLeases(this.#database, claimed);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      // Another gateway takes these deliveries over when their leases end.
    }
  }
}
