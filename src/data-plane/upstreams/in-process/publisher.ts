import { waitAtMost } from '../../../base/awaitable.ts';
import type { EventSource, Published, ServiceEvent } from '../../../openapi/event-type.ts';

/** Takes the events that services publish. */
export interface EventPublisher {
  /** Sets who may publish what from now on. */
  describe(sources: readonly EventSource[]): void;
  /**
   * Publishes up to 500 events of one service, all or none of them. Resolves once they are written, in the order of the
   * events; rejects with `EventRefused` for the first that will not do, and with `StoreUnavailable`.
   */
  publish(source: string, events: readonly ServiceEvent[]): Promise<Published[]>;
}

const CLOSE_WAIT_MS = 1000;

/** How a module tells what happened: in the name of its upstream, until that is closed. */
export class Publisher {
  readonly #events: Pick<EventPublisher, 'publish'>;
  readonly #source: string;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(events: Pick<EventPublisher, 'publish'>, source: string) {
    this.#events = events;
    this.#source = source;
  }

  /** Like `publishAll`, of one event. */
  readonly publish = async (
    type: string,
    data: ServiceEvent['data'],
    { id, subject, at }: Omit<ServiceEvent, 'type' | 'data'> = {},
  ): Promise<Published> => {
    const [published] = await this.publishAll([{ type, data, id, subject, at }]);
    return published as Published;
  };

  /** As `EventPublisher.publish`. */
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

  /** Waits for what is being written, but not for long: what is closed after it has something to write, too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await waitAtMost(CLOSE_WAIT_MS, Promise.allSettled(this.#running));
  }
}
