import type { ServiceEvent } from '../../../openapi/event-type.ts';
import { toDateTime } from '../../../base/time.ts';
import type { ErrorDetail } from '../../../base/error-codes.ts';
import { isDeeperThan, parseExact, stringifyExact, isObject, type JsonObject } from '../../../base/json.ts';
import { textFault } from '../../../base/text.ts';
import { randomId } from '../../../base/secrets.ts';
import type { NewEvent } from '../event.ts';
import type { ServiceEventType } from '../../../openapi/event-type.ts';

const MAX_DATA_BYTES = 64 * 1024;
export const MAX_LEVELS = 32;
const ID = /^[!-~]{1,128}$/;
const SUBJECT = /^[^\p{Cc}]{1,200}$/u;
/** The last moment that a `Date` can hold. */
const MAX_TIME_MS = 8.64e15;

/** @returns the event, or all that is wrong with it */
export function newServiceEvent(
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
  check(id === undefined || isMatch(ID, id), '/id', 'must be 1 to 128 of printable ASCII, without spaces');
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
    uniqueKey: id === undefined ? undefined : uniqueKeyOf(source, id),
  };
}

/** No upstream's name has a colon, and no key of the gateway's own begins so. */
function uniqueKeyOf(source: string, id: string): string {
  return `service:${source}:${id}`;
}

/** @returns what is wrong with them; else as JavaScript's own numbers have them, and with all digits */
function readData(given: unknown): string | { readonly plain: JsonObject; readonly exact: JsonObject } {
  let text: string;
  try {
    text = typeof given === 'string' ? given : stringifyExact(given);
  } catch {
    return 'must be an object that JSON can hold';
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

/** Modules are others' code, whatever the types promise. */
function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
