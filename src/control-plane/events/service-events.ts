import { runWithin, TookTooLong } from '../../base/run-within.ts';
import { createRandomId } from '../../base/secrets.ts';
import { findTextFault } from '../../base/text.ts';
import { isDeeperThan, parseExact, stringifyExact, isObject, type JsonObject } from '../../base/json.ts';
import { toDateTime } from '../../base/time.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { ErrorDetail } from '../../base/error-details.ts';
import type { EventSource, Published, ServiceEvent, ServiceEventType } from '../../openapi/event-type.ts';
import type { Database } from '../../storage/database.ts';
import type { NewEvent } from './event.ts';
import { findIdsByUniqueKey, publish } from './event-outbox.ts';

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
export const MAX_EVENTS_AT_ONCE = 500;
/**
 * Time limit for checking the events of one call: a base, plus a time per event. The checks block the process, so they
 * must end soon. Even large events on a slow machine need only a small part of this time.
 */
const CHECK_WITHIN_MS = 500;
const CHECK_EACH_WITHIN_MS = 10;
/** Maximum number of events that wait for the database. */
const MAX_QUEUED = 10_000;

/** Events of services: checked against their documents, and put into the outbox. */
export class ServiceEvents {
  readonly #database: Database;
  #types: ReadonlyMap<string, ReadonlyMap<string, ServiceEventType>> = new Map();
  readonly #clock: () => number;
  #queued = 0;

  constructor(database: Database, sources: readonly EventSource[], clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.setEventTypes(sources);
  }

  /** Sets the event types that each service may publish from now on. */
  setEventTypes(sources: readonly EventSource[]): void {
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
    if (events.length > MAX_EVENTS_AT_ONCE)
      throw new RangeError(`at most ${MAX_EVENTS_AT_ONCE} events can be published at once`);
    const newEvents = this.#checkEvents(source, events);
    if (this.#queued + newEvents.length > MAX_QUEUED)
      throw new StoreUnavailable(`more than ${MAX_QUEUED} events are queued: publish fewer at once`);
    this.#queued += newEvents.length;
    try {
      return await this.#write(newEvents);
    } finally {
      this.#queued -= newEvents.length;
    }
  }

  /**
   * Checks events within a time limit. Schemas and data both come from services, and some combinations take forever to
   * check.
   */
  #checkEvents(source: string, events: readonly ServiceEvent[]): NewEvent[] {
    let currentIndex = 0;
    const checkEach = () =>
      events.map((event, index) => {
        currentIndex = index;
        return this.#checkEvent(source, event, index);
      });
    try {
      return runWithin(CHECK_WITHIN_MS + events.length * CHECK_EACH_WITHIN_MS, checkEach);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      const message = 'took too long to validate: look for nested repetitions in the patterns of its schema';
      throw new EventRefused(events[currentIndex]?.type ?? '', [{ path: '/data', message }], currentIndex);
    }
  }

  #checkEvent(source: string, event: ServiceEvent, index: number): NewEvent {
    const types = this.#types.get(source);
    const type = types?.get(event.type);
    const result =
      type === undefined
        ? [describeUnknownType(source, types)]
        : createServiceEvent(source, type, event, this.#clock());
    if ('id' in result) return result;
    throw new EventRefused(event.type, result, index);
  }

  #write(newEvents: readonly NewEvent[]): Promise<Published[]> {
    return this.#database.transaction(async (tx, announce) => {
      const insertedIds = new Set(await publish({ tx, announce }, newEvents));
      const repeatedKeys = newEvents.flatMap(({ id, uniqueKey = '' }) => (insertedIds.has(id) ? [] : [uniqueKey]));
      const existingIds = await findIdsByUniqueKey(tx, repeatedKeys);
      return newEvents.map(({ id, uniqueKey = '' }) =>
        insertedIds.has(id) ? { id, isNew: true } : { id: existingIds.get(uniqueKey) ?? id, isNew: false },
      );
    });
  }
}

function describeUnknownType(source: string, types: ReadonlyMap<string, ServiceEventType> | undefined): ErrorDetail {
  const typeList =
    types === undefined || types.size === 0
      ? 'no event types: declare them under webhooks, with x-tollgate-events: true in the document'
      : [...types.keys()].join(', ');
  return { path: '/type', message: `is not an event of ${source}. Its document has ${typeList}` };
}

const MAX_DATA_BYTES = 64 * 1024;
export const MAX_DATA_LEVELS = 32;
const ID_PATTERN = /^[!-~]{1,128}$/;
const SUBJECT_PATTERN = /^[^\p{Cc}]{1,200}$/u;
/** The latest time that a `Date` can represent. */
const MAX_TIME_MS = 8.64e15;

/** @returns the event, or all its faults */
function createServiceEvent(
  source: string,
  type: ServiceEventType,
  event: ServiceEvent,
  now: number,
): NewEvent | readonly ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const check = (isValid: boolean, path: string, message: string) => {
    if (!isValid) details.push({ path, message });
  };
  const { id, subject, at = now } = event;
  check(
    id === undefined || matchesText(ID_PATTERN, id),
    '/id',
    'must be 1 to 128 characters of printable ASCII, without spaces',
  );
  const isSubjectValid = subject === undefined || matchesText(SUBJECT_PATTERN, subject);
  check(isSubjectValid, '/subject', 'must be 1 to 200 characters, without control characters');
  const subjectFault = isSubjectValid && subject !== undefined ? findTextFault(subject) : null;
  check(subjectFault === null, '/subject', subjectFault ?? '');
  const isTimeValid = Number.isSafeInteger(at) && at >= 0 && at <= MAX_TIME_MS;
  check(isTimeValid, '/at', 'must be a time since 1970, in whole milliseconds');
  const data = parseData(event.data);
  if (typeof data === 'string') check(false, '/data', data);
  else {
    const timestamp = toDateTime(isTimeValid ? at : now);
    details.push(...(type.validate({ type: type.name, timestamp, data: data.plain }) ?? []));
  }
  if (details.length > 0 || typeof data === 'string') return details;
  return {
    id: createRandomId('evt'),
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
function parseData(data: unknown): string | { readonly plain: JsonObject; readonly exact: JsonObject } {
  let text: string;
  try {
    text = typeof data === 'string' ? data : stringifyExact(data);
  } catch {
    return 'must be an object that JSON can represent';
  }
  if (Buffer.byteLength(text) > MAX_DATA_BYTES) return `must have at most ${MAX_DATA_BYTES} bytes as JSON`;
  if (isDeeperThan(MAX_DATA_LEVELS, text)) return `must be nested at most ${MAX_DATA_LEVELS} levels deep`;
  try {
    const [plain, exact] = [JSON.parse(text) as unknown, parseExact(text)];
    if (isObject(plain) && isObject(exact)) return { plain, exact };
  } catch {
    return 'must be an object, or the JSON text of one';
  }
  return 'must be an object';
}

/** Checks the type, too, because modules may pass any value, whatever the types promise. */
function matchesText(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
