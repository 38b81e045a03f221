import type { Published, ServiceEvent } from '../../../openapi/event-type.ts';
import { waitAtMost } from '../../../base/waiting/wait-at-most.ts';
import type { ServiceEvents } from '../../../control-plane/events/service-events.ts';

const CLOSE_WAIT_MS = 1000;

/** How a module tells what happened: in the name of its upstream, until that is closed. */
export class Publisher {
  readonly #events: ServiceEvents;
  readonly #source: string;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(events: ServiceEvents, source: string) {
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

  /** As `ServiceEvents.publish`. */
  readonly publishAll = async (events: readonly ServiceEvent[]): Promise<Published[]> => {
    if (this.#isClosed) throw new Error(`the upstream ${this.#source} is closed: it publishes nothing any more`);
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
