import { createHash } from 'node:crypto';
import { type Clock, DAY_MS } from '../../base/time.ts';
import type { CheckedRequest, ValidationObserver } from '../../data-plane/boundary-types.ts';
import { nameRule } from '../../openapi/validation/validation.ts';
import type { NewEvent } from './event.ts';
import { createGatewayEvent } from './gateway-events.ts';

/**
 * Maximum number of events that one gateway publishes per day. Each is remembered until the end of the day, so that it is
 * published only once, and takes about 150 bytes.
 */
const MAX_PER_DAY = 100_000;
/** Maximum number of events per owner, operation and day. A document may have thousands of rules. */
const MAX_PER_OPERATION = 20;
/** Longer places and messages are cut off. */
const MAX_TEXT = 500;

/**
 * Publishes that calls do not fit the description of their operation: once a day for each owner, operation and rule,
 * however many gateways see such calls. Calls that only the next version of the document would refuse are left out.
 */
export function createInvalidCallEvents(
  note: (event: NewEvent) => void,
  clock: Clock,
  maxPerDay = MAX_PER_DAY,
): ValidationObserver {
  let day = 0;
  /** Hashes of the owner, operation and rule of each event of the day. */
  const published = new Set<string>();
  /** The number of events of each owner and operation, by the hash of both. */
  const counts = new Map<string, number>();

  return function publishInvalidCall(request) {
    const { credential, operation, mode, broken } = request;
    if (credential === null || mode === 'candidate' || broken.length === 0) return;
    const at = clock();
    const today = Math.floor(at / DAY_MS);
    if (today !== day) {
      day = today;
      published.clear();
      counts.clear();
    }
    const id = JSON.stringify([credential.owner, operation.id, today]);
    const pair = hashShortly(id);
    for (const each of broken) {
      const identity = `${id} ${nameRule(each)}`;
      const hash = hashShortly(identity);
      const count = counts.get(pair) ?? 0;
      if (published.has(hash) || count >= MAX_PER_OPERATION || published.size >= maxPerDay) continue;
      published.add(hash);
      counts.set(pair, count + 1);
      note(toEvent(request, credential, each, at, identity));
    }
  };
}

/** Texts would take far more memory. If two of 100,000 hashes were equal (1 in 10^11), one event would be missing. */
function hashShortly(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function toEvent(
  { operation, mode }: CheckedRequest,
  { keyId, owner }: NonNullable<CheckedRequest['credential']>,
  { rule, rulePath, message }: CheckedRequest['broken'][number],
  at: number,
  identity: string,
): NewEvent {
  const { id, method, path } = operation;
  const place = rulePath.slice(0, MAX_TEXT).toWellFormed();
  const what = { rule, place, message: message.slice(0, MAX_TEXT).toWellFormed(), refused: mode === 'enforce' };
  // A hash, because the database cannot index long texts.
  const uniqueKey = `operation.invalid_call ${createHash('sha256').update(identity).digest('base64url')}`;
  const about = { subject: keyId, owner, at, uniqueKey };
  return createGatewayEvent('operation.invalid_call', { operation: id, method, path, keyId, ...what }, about);
}
