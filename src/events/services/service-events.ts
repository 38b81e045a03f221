import type { ErrorDetail } from '../../base/error-codes.ts';
import { StoreUnavailable } from '../../base/store-unavailable.ts';
import { runWithin, TookTooLong } from '../../base/waiting/run-within.ts';
import type { Database } from '../../database/database.ts';
import type { NewEvent } from '../event.ts';
import { EventRefused } from './event-refused.ts';
import { idsByUniqueKey } from '../event-rows.ts';
import { publish } from '../publish.ts';
import { newServiceEvent, type ServiceEvent } from './service-event.ts';
import type { ServiceEventType } from './service-event-type.ts';

/** A service that may publish: an upstream, with the types of its document. */
export interface EventSource {
  readonly name: string;
  readonly eventTypes: readonly ServiceEventType[];
}

/** What became of an event. */
export interface Published {
  /** `evt_…`: that of its deliveries. Of a repeat, the id of the event that was published before. */
  readonly id: string;
  /** False for a repeat of an `id` that the service gave before: nothing was written. */
  readonly isNew: boolean;
}

/** Events in one call. */
export const MAX_AT_ONCE = 500;
/** Many times what large events take, on a slow machine: nothing else runs while events are checked. */
const CHECK_WITHIN_MS = 500;
const EACH_WITHIN_MS = 10;
/** Events that wait for the database. */
const MAX_WAITING = 10_000;

/** What services tell: checked against their documents, and put into the outbox. */
export class ServiceEvents {
  readonly #database: Database;
  #types: ReadonlyMap<string, ReadonlyMap<string, ServiceEventType>> = new Map();
  readonly #clock: () => number;
  #waiting = 0;

  constructor(database: Database, sources: readonly EventSource[], clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.describe(sources);
  }

  /** Sets who may publish what from now on. */
  describe(sources: readonly EventSource[]): void {
    this.#types = new Map(
      sources.map(({ name, eventTypes }) => [name, new Map(eventTypes.map((type) => [type.name, type]))]),
    );
  }

  /**
   * Publishes up to 500 events of one service, all or none of them.
   *
   * @returns once they are written, in the order of the events
   * @throws EventRefused for the first that will not do; StoreUnavailable if they cannot be written now (they may have
   *   been: with an `id`, they can be published again)
   */
  async publish(source: string, events: readonly ServiceEvent[]): Promise<Published[]> {
    if (events.length > MAX_AT_ONCE) throw new RangeError(`at most ${MAX_AT_ONCE} events can be published at once`);
    const made = this.#readAll(source, events);
    if (this.#waiting + made.length > MAX_WAITING)
      throw new StoreUnavailable(`more than ${MAX_WAITING} events wait to be written: publish fewer at once`);
    this.#waiting += made.length;
    try {
      return await this.#write(made);
    } finally {
      this.#waiting -= made.length;
    }
  }

  /** Schemas are others' work, and so is what is checked with them: together, they may take for ever. */
  #readAll(source: string, events: readonly ServiceEvent[]): NewEvent[] {
    let at = 0;
    const readEach = () =>
      events.map((event, index) => {
        at = index;
        return this.#read(source, event, index);
      });
    try {
      return runWithin(CHECK_WITHIN_MS + events.length * EACH_WITHIN_MS, readEach);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      const message = 'takes too long to check: look for nested repetitions in the patterns of its schema';
      throw new EventRefused(events[at]?.type ?? '', [{ path: '/data', message }], at);
    }
  }

  #read(source: string, event: ServiceEvent, index: number): NewEvent {
    const types = this.#types.get(source);
    const type = types?.get(event.type);
    const made =
      type === undefined ? [unknownType(source, types)] : newServiceEvent(source, type, event, this.#clock());
    if ('id' in made) return made;
    throw new EventRefused(event.type, made, index);
  }

  #write(made: readonly NewEvent[]): Promise<Published[]> {
    return this.#database.transaction(async (tx, announce) => {
      const written = new Set(await publish({ tx, announce }, made));
      const repeated = made.flatMap(({ id, uniqueKey = '' }) => (written.has(id) ? [] : [uniqueKey]));
      const before = await idsByUniqueKey(tx, repeated);
      return made.map(({ id, uniqueKey = '' }) =>
        written.has(id) ? { id, isNew: true } : { id: before.get(uniqueKey) ?? id, isNew: false },
      );
    });
  }
}

function unknownType(source: string, types: ReadonlyMap<string, ServiceEventType> | undefined): ErrorDetail {
  const known = types === undefined || types.size === 0 ? 'no webhooks' : [...types.keys()].join(', ');
  return { path: '/type', message: `is not an event of ${source}: its document has ${known}` };
}
