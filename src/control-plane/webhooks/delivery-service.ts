import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/durations.ts';
import type { Database } from '../../storage/database.ts';
import { tellsOfEvents } from '../events/outbox.ts';
import { type Backlog, NO_BACKLOG, readBacklog } from './backlog.ts';
import { BackgroundLoop } from './background-loop.ts';
import { tellsOfDeliveries } from './delivery/announcement.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { type ClaimSettings, LEASE_MS } from './delivery/claim-settings.ts';
import { type Schedule, usualSchedule } from './delivery/schedule.ts';
import { DISABLE_AFTER_MS } from './disable-gone-or-failing.ts';
import type { Outcome, Sender } from './sending/sender.ts';
import type { EventTypes } from './event-types.ts';
import { routeEvents } from './routing/route-events.ts';
import { sweep } from './sweep.ts';

export interface DeliveryServiceSettings {
  readonly types: EventTypes;
  readonly sender: Sender;
  readonly logger: Logger;
  readonly clock: Clock;
  /** While this is true, nothing new is begun: the gateway drains. */
  readonly isStopping?: () => boolean;
  /** Told of every attempt, once it is over. */
  readonly onAttempt?: (outcome: Outcome) => void;
  /** Others than the usual ones, so that a test need not wait. */
  readonly schedule?: Schedule;
  readonly disableAfterMs?: number;
  readonly claims?: ClaimSettings;
  readonly pollMs?: number;
}

/** Eight at once are some hundreds of events a second, for an endpoint that answers in some milliseconds. */
const CLAIMS: ClaimSettings = { perWebhook: 8, perFailingWebhook: 1, leaseMs: LEASE_MS };
/** In case a message was missed, and for what is due later. */
const POLL_MS = 1000;
const SWEEP_MS = MINUTE_MS;
const COUNT_MS = 10_000;

/** Everything between the outbox and the endpoints. Any number of gateways share the work. */
export class DeliveryService {
  readonly #router: BackgroundLoop;
  readonly #deliverer: Deliverer;
  readonly #sweeper: BackgroundLoop;
  readonly #counter: BackgroundLoop;
  #backlog = NO_BACKLOG;

  constructor(database: Database, settings: DeliveryServiceSettings) {
    const { types, logger } = settings;
    const { isStopping = () => false, onAttempt = () => {}, schedule = usualSchedule } = settings;
    const { disableAfterMs = DISABLE_AFTER_MS, claims = CLAIMS, pollMs = POLL_MS } = settings;
    const usual = { isStopping, onAttempt, schedule, disableAfterMs, claims, pollMs };
    this.#deliverer = new Deliverer(database, { ...settings, ...usual });
    const route = async () => {
      const { deliveries, more } = await routeEvents(database, types);
      if (deliveries > 0) this.#deliverer.wake();
      return more;
    };
    this.#router = new BackgroundLoop(route, { what: 'events are routed', everyMs: pollMs, logger });
    const sweepOnce = () => sweep(database);
    const swept = 'deliveries of deleted webhooks are deleted';
    this.#sweeper = new BackgroundLoop(sweepOnce, { what: swept, everyMs: SWEEP_MS, logger });
    const count = async () => {
      this.#backlog = await readBacklog(database);
      return false;
    };
    this.#counter = new BackgroundLoop(count, { what: 'deliveries are counted', everyMs: COUNT_MS, logger });
    database.onChange((message) => {
      if (tellsOfEvents(message)) this.#router.wake();
      if (tellsOfDeliveries(message)) this.#deliverer.wake();
    });
  }

  /** Why events are not delivered, for people; null while they are, and while the database is away. */
  get failure(): string | null {
    return this.#router.failure ?? this.#deliverer.failure ?? this.#sweeper.failure;
  }

  /** What waits, up to 10 s ago. */
  get backlog(): Backlog {
    return this.#backlog;
  }

  /** Attempts that run. */
  get inFlight(): number {
    return this.#deliverer.inFlight;
  }

  /** @param waitMs how long to wait for what is being sent; then another gateway sends it again */
  async close(waitMs: number): Promise<void> {
    const loops = [this.#router, this.#sweeper, this.#counter];
    await Promise.all([...loops.map((loop) => loop.stop()), this.#deliverer.close(waitMs)]);
  }
}
