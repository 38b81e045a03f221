import { EventRefused, MAX_LEVELS, type ServiceEvents } from '../../events/service-events.ts';
import type { ServiceEvent } from '../../../openapi/event-type.ts';
import { toMillis } from '../../../base/time.ts';
import { isDeeperThan, parseExact } from '../../../base/json.ts';
import { sentBody } from '../../api/http/read-request.ts';
import { Refused } from '../../api/http/refused.ts';
import type { AdminOperations, Call } from '../operation.ts';

interface Body extends Pick<ServiceEvent, 'id' | 'type' | 'subject'> {
  readonly data: object;
  /** RFC 3339. */
  readonly at?: string;
}

const NOT_A_SERVICE = 'Events are published with a token of the role publisher, in the name of its upstream.';

export function publishOperations(serviceEvents: ServiceEvents): AdminOperations {
  return {
    async publishEvent({ body, caller: { token }, request }: Call<Body>) {
      if (token?.role !== 'publisher') throw new Refused('forbidden', { message: NOT_A_SERVICE });
      const at = body.at === undefined ? undefined : toMillis(body.at);
      const event = { ...body, at, data: exactData(sentBody(request)) };
      try {
        const [published] = await serviceEvents.publish(token.upstream, [event]);
        return { status: published?.isNew === false ? 200 : 202, body: published };
      } catch (error) {
        if (error instanceof EventRefused) throw new Refused('validation_failed', { details: error.details });
        throw error;
      }
    },
  };
}

/** The `data` of the body with all digits of their numbers, which its reader has parsed as JavaScript has them. */
function exactData(body: string): object {
  if (isDeeperThan(MAX_LEVELS + 1, body)) {
    const details = [{ path: '/data', message: `must be nested at most ${MAX_LEVELS} levels deep` }];
    throw new Refused('validation_failed', { details });
  }
  try {
    return (parseExact(body) as Body).data;
  } catch {
    throw new Refused('unsupported_media_type', { message: 'The body must be JSON in plain UTF-8.' });
  }
}
