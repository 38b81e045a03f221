import type { Logger } from 'pino';
import { waitAtMost } from '../../base/awaitable.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { Database } from '../../storage/database.ts';
import { type GatewayIdentity, noteRunning, noteStopped } from './gateway-rows.ts';

const INTERVAL_MS = 10_000;
/** How long a stop waits for a database that does not answer. */
const MAX_STOP_MS = 1000;

/** Tells the other gateways, by way of the database, that this one runs. */
export class Heartbeat {
  readonly #database: Database;
  readonly #gateway: GatewayIdentity;
  readonly #logger: Logger;
  readonly #onRunning: (gateways: number) => void;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | null = null;

  /** @param onRunning told how many gateways run, with this one */
  constructor(database: Database, gateway: GatewayIdentity, logger: Logger, onRunning: (gateways: number) => void) {
    this.#onRunning = onRunning;
    this.#database = database;
    this.#gateway = gateway;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#beat(), INTERVAL_MS).unref();
    this.#beat();
  }

  /** Notes that the gateway has stopped, if the database answers soon. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const noted = (this.#beating ?? Promise.resolve()).then(() =>
      this.#unlessAway(noteStopped(this.#database, this.#gateway.id)),
    );
    await waitAtMost(MAX_STOP_MS, noted);
  }

  #beat(): void {
    const noting = async () => {
      this.#onRunning(await noteRunning(this.#database, this.#gateway, performance.now() - this.#startedAt));
    };
    this.#beating ??= this.#unlessAway(noting()).finally(() => {
      this.#beating = null;
    });
  }

  /** A database that is away says so itself. */
  async #unlessAway(noting: Promise<void>): Promise<void> {
    try {
      await noting;
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        this.#logger.error({ err: error }, 'this gateway could not be noted in the database');
    }
  }
}
