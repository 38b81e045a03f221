import { waitAtMost } from '../../../base/awaitable.ts';
import type { EventSource, Published, ServiceEvent } from '../../../openapi/event-type.ts';

/** Accepts the events that services publish. */
export interface EventPublisher {
  /** Declares which service may publish which events from now on. */
  setEventTypes(sources: readonly EventSource[]): void;
  /**
   * Publishes up to 500 events of one service, all or none of them. Resolves once they are stored, in the order of the
   * events. Rejects with `EventRefused` for the first invalid one, and with `StoreUnavailable`.
   */
  publish(source: string, events: readonly ServiceEvent[]): Promise<Published[]>;
}

const CLOSE_WAIT_MS = 1000;

/** Lets a module publish events on behalf of its upstream, until the upstream is closed. */
export class Publisher {
  readonly #events: Pick<EventPublisher, 'publish'>;
  readonly #source: string;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(events: Pick<EventPublisher, 'publish'>, source: string) {
    this.#events = events;
    this.#source = source;
  }

  /** Like `publishAll`, for one event. */
  readonly publish = async (
    type: string,
    data: ServiceEvent['data'],
    { id, subject, at }: Omit<ServiceEvent, 'type' | 'data'> = {},
  ): Promise<Published> => {
    const [published] = await this.publishAll([{ type, data, id, subject, at }]);
    return published as Published;
  };

  /** See `EventPublisher.publish`. */
  readonly publishAll = async (events: readonly ServiceEvent[]): Promise<Published[]> => {
    if (this.#isClosed) throw new Error(`the upstream ${this.#source} is closed: it can no longer publish events`);
    const running = this.#events.publish(this.#source, events);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  };

  /**
   * Waits for running writes, but only briefly, because other parts of the gateway also have to write when they are
   * closed.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await waitAtMost(CLOSE_WAIT_MS, Promise.allSettled(this.#running));
  }
}
