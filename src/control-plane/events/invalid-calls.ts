import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createTextSharing } from '../../base/share-texts.ts';
import { type Clock, DAY_MS } from '../../base/time.ts';
import type { CheckedRequest, ValidationObserver } from '../../data-plane/boundary-types.ts';
import { nameRule } from '../../openapi/validation/validation.ts';
import type { NewEvent } from './event.ts';
import { createGatewayEvent } from './gateway-events.ts';

/** Maximum number of remembered owners and operations. For further ones, the outbox detects repeats. */
const MAX_REMEMBERED = 20_000;
/** Maximum number of events per owner, operation and day. A document may have thousands of rules. */
const MAX_PER_OPERATION = 20;
/** Longer places and messages are cut off. */
const MAX_TEXT = 500;

/**
 * Publishes that calls do not fit the description of their operation: once a day for each owner, operation and rule,
 * however many gateways see such calls. Calls that only the next version of the document would refuse are left out.
 */
export function createInvalidCallEvents(note: (event: NewEvent) => void, clock: Clock): ValidationObserver {
  const shareText = createTextSharing();
  /** By owner, operation and day: the rules that are published. */
  const published = new LRUCache<string, Set<string>>({ max: MAX_REMEMBERED });

  return function publishInvalidCall(request) {
    const { credential, operation, mode, broken } = request;
    if (credential === null || mode === 'candidate' || broken.length === 0) return;
    const at = clock();
    const id = JSON.stringify([credential.owner, operation.id, Math.floor(at / DAY_MS)]);
    let rules = published.get(id);
    if (rules === undefined) published.set(id, (rules = new Set()));
    for (const each of broken) {
      const rule = shareText(nameRule(each));
      if (rules.has(rule) || rules.size >= MAX_PER_OPERATION) continue;
      rules.add(rule);
      note(toEvent(request, credential, each, at, `${id} ${rule}`));
    }
  };
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
