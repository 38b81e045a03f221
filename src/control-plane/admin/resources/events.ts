import { isDeeperThan, parseExact } from '../../../base/json.ts';
import { toDateTime, toMillis } from '../../../base/time.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';
import { parseOrder } from './sort-order.ts';
import { getSentBody } from '../../api-server/read-request.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Event } from '../../events/event.ts';
import type { Events } from '../../events/events.ts';
import type { EventTypes } from '../../webhooks/event-types.ts';
import { EventRefused, MAX_DATA_LEVELS, type ServiceEvents } from '../../events/service-events.ts';
import type { ServiceEvent } from '../../../openapi/event-type.ts';

export function createEventOperations(
  events: Pick<Events, 'list'>,
  types: EventTypes,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'listEvents' | 'listEventTypes'> {
  return {
    listEventTypes() {
      return { status: 200, body: { items: types.listAvailable(null) } };
    },

    async listEvents({ query }) {
      const { limit, cursor, from, to, sort, ...filters } = query;
      const filter = { ...filters, from: toMillis(from), to: toMillis(to) };
      const { items, nextCursor } = await events.list(filter, { limit, cursor }, parseOrder(sort));
      if (items.length === 0) await refuseUnknown({ type: filters.type });
      // "tollgate events listen" polls every second.
      return { status: 200, body: { items: items.map(toEventJson), nextCursor }, isRoutine: true };
    },
  };
}

function toEventJson({ id, type, subject, owner, source, at, data }: Event): Schemas['Event'] {
  return { id, type, subject, owner, source, at: toDateTime(at), data };
}

interface Body extends Pick<ServiceEvent, 'id' | 'type' | 'subject'> {
  readonly data: object;
  /** RFC 3339. */
  readonly at?: string;
}

const NOT_A_PUBLISHER = 'Publishing events requires a token of the role publisher.';

export function createPublishOperations(serviceEvents: ServiceEvents): Pick<AdminOperations, 'publishEvent'> {
  return {
    async publishEvent({ body, caller: { token }, request }) {
      if (token?.role !== 'publisher') throw new Refused('forbidden', { message: NOT_A_PUBLISHER });
      const at = body.at === undefined ? undefined : toMillis(body.at);
      const event = { ...body, at, data: parseExactData(getSentBody(request)) };
      try {
        const [published] = await serviceEvents.publish(token.upstream, [event]);
        if (published === undefined) throw new RangeError('one event in, one out');
        return published.isNew ? { status: 202, body: published } : { status: 200, body: published };
      } catch (error) {
        if (error instanceof EventRefused) throw new Refused('validation_failed', { details: error.details });
        throw error;
      }
    },
  };
}

/**
 * Parses the body again to get its `data` with all digits of its numbers, because JavaScript's numbers lose digits.
 */
function parseExactData(body: string): object {
  if (isDeeperThan(MAX_DATA_LEVELS + 1, body)) {
    const details = [{ path: '/data', message: `must be nested at most ${MAX_DATA_LEVELS} levels deep` }];
    throw new Refused('validation_failed', { details });
  }
  try {
    return (parseExact(body) as Body).data;
  } catch {
    throw new Refused('unsupported_media_type', {
      message: 'The body must be JSON in UTF-8, without a Content-Encoding.',
    });
  }
}
