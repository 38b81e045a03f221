import { runWithin, TookTooLong } from '../../base/run-within.ts';
import { randomId } from '../../base/secrets.ts';
import { textFault } from '../../base/text.ts';
import { isDeeperThan, parseExact, stringifyExact, isObject, type JsonObject } from '../../base/json.ts';
import { toDateTime } from '../../base/time.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { ErrorDetail } from '../../base/error-details.ts';
import type { EventSource, Published, ServiceEvent, ServiceEventType } from '../../openapi/event-type.ts';
import type { Database } from '../../storage/database.ts';
import type { NewEvent } from './event.ts';
import { idsByUniqueKey, publish } from './event-outbox.ts';

/** The event of a service is invalid, so publishing it again fails again. Nothing was published. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  /** The faults, with paths such as `/data/pet/name`. */
  readonly details: readonly ErrorDetail[];
  /** Index of the invalid event in the call, from 0. */
  readonly index: number;

  constructor(type: string, details: readonly ErrorDetail[], index: number) {
    const faults = details.map(({ path, message }) => `${path} ${message}`);
    super(`cannot publish the event ${type}: ${faults.join('; ')}`);
    this.details = details;
    this.index = index;
  }
}

/** Maximum number of events in one call. */
export const MAX_AT_ONCE = 500;
/**
 * Time limit for checking the events of one call: a base, plus a time per event. The checks block the process, so they
 * must end soon. Even large events on a slow machine need only a small part of this time.
 */
const CHECK_WITHIN_MS = 500;
const EACH_WITHIN_MS = 10;
/** Maximum number of events that wait for the database. */
const MAX_WAITING = 10_000;

/** Events of services: checked against their documents, and put into the outbox. */
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

  /** Sets the event types that each service may publish from now on. */
  describe(sources: readonly EventSource[]): void {
    this.#types = new Map(
      sources.map(({ name, eventTypes }) => [name, new Map(eventTypes.map((type) => [type.name, type]))]),
    );
  }

  /**
   * Publishes up to 500 events of one service, all or none of them.
   *
   * @returns the published events after they are written, in the given order
   * @throws EventRefused for the first invalid event; StoreUnavailable if the events cannot be written now (they may
   *   have been written nevertheless, but events with an `id` can safely be published again)
   */
  async publish(source: string, events: readonly ServiceEvent[]): Promise<Published[]> {
    if (events.length > MAX_AT_ONCE) throw new RangeError(`at most ${MAX_AT_ONCE} events can be published at once`);
    const made = this.#readAll(source, events);
    if (this.#waiting + made.length > MAX_WAITING)
      throw new StoreUnavailable(`more than ${MAX_WAITING} events are queued: publish fewer at once`);
    this.#waiting += made.length;
    try {
      return await this.#write(made);
    } finally {
      this.#waiting -= made.length;
    }
  }

  /**
   * Checks events within a time limit. Schemas and data both come from services, and some combinations take forever to
   * check.
   */
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
      const message = 'took too long to validate: look for nested repetitions in the patterns of its schema';
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
  const known =
    types === undefined || types.size === 0
      ? 'no event types: declare them under webhooks, with x-tollgate-events: true in the document'
      : [...types.keys()].join(', ');
  return { path: '/type', message: `is not an event of ${source}. Its document has ${known}` };
}

const MAX_DATA_BYTES = 64 * 1024;
export const MAX_LEVELS = 32;
const ID = /^[!-~]{1,128}$/;
const SUBJECT = /^[^\p{Cc}]{1,200}$/u;
/** The latest time that a `Date` can represent. */
const MAX_TIME_MS = 8.64e15;

/** @returns the event, or all its faults */
function newServiceEvent(
  source: string,
  type: ServiceEventType,
  event: ServiceEvent,
  now: number,
): NewEvent | readonly ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const check = (isGood: boolean, path: string, message: string) => {
    if (!isGood) details.push({ path, message });
  };
  const { id, subject, at = now } = event;
  check(id === undefined || isMatch(ID, id), '/id', 'must be 1 to 128 characters of printable ASCII, without spaces');
  const hasSubject = subject === undefined || isMatch(SUBJECT, subject);
  check(hasSubject, '/subject', 'must be 1 to 200 characters, without control characters');
  const fault = hasSubject && subject !== undefined ? textFault(subject) : null;
  check(fault === null, '/subject', fault ?? '');
  const isTime = Number.isSafeInteger(at) && at >= 0 && at <= MAX_TIME_MS;
  check(isTime, '/at', 'must be a time since 1970, in whole milliseconds');
  const data = readData(event.data);
  if (typeof data === 'string') check(false, '/data', data);
  else {
    const timestamp = toDateTime(isTime ? at : now);
    details.push(...(type.validate({ type: type.name, timestamp, data: data.plain }) ?? []));
  }
  if (details.length > 0 || typeof data === 'string') return details;
  return {
    id: randomId('evt'),
    type: type.name,
    subject: subject ?? null,
    owner: null,
    source,
    at: Math.min(at, now),
    data: data.exact,
    uniqueKey: id === undefined ? undefined : createUniqueKey(source, id),
  };
}

/**
 * The result is unambiguous, because upstream names have no colon, and the gateway's own unique keys do not begin with
 * `service:`.
 */
function createUniqueKey(source: string, id: string): string {
  return `service:${source}:${id}`;
}

/**
 * @returns a message if the data is invalid; otherwise the data twice, with JavaScript numbers (`plain`) and with all
 *   digits of its numbers (`exact`)
 */
function readData(given: unknown): string | { readonly plain: JsonObject; readonly exact: JsonObject } {
  let text: string;
  try {
    text = typeof given === 'string' ? given : stringifyExact(given);
  } catch {
    return 'must be an object that JSON can represent';
  }
  if (Buffer.byteLength(text) > MAX_DATA_BYTES) return `must have at most ${MAX_DATA_BYTES} bytes as JSON`;
  if (isDeeperThan(MAX_LEVELS, text)) return `must be nested at most ${MAX_LEVELS} levels deep`;
  try {
    const [plain, exact] = [JSON.parse(text) as unknown, parseExact(text)];
    if (isObject(plain) && isObject(exact)) return { plain, exact };
  } catch {
    return 'must be an object, or the JSON text of one';
  }
  return 'must be an object';
}

/** Checks the type, too, because modules may pass any value, whatever the types promise. */
function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
