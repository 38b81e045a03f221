import { toDateTime, toMillis } from '../../../../base/time.ts';
import type { Event } from '../../../events/event.ts';
import type { Events } from '../../../events/events.ts';
import type { AdminOperations, Call, PageQuery } from '../../operation.ts';

interface EventQuery extends PageQuery {
  readonly type?: string;
  readonly subject?: string;
  /** RFC 3339. */
  readonly from?: string;
  readonly to?: string;
}

export function eventOperations(events: Pick<Events, 'list'>): AdminOperations {
  return {
    async listEvents({ query }: Call<undefined, EventQuery>) {
      const { limit, cursor, from, to, ...about } = query;
      const filter = { ...about, from: millisOf(from), to: millisOf(to) };
      const { items, nextCursor } = await events.list(filter, { limit, cursor });
      // "tollgate events listen" looks every second.
      return { status: 200, body: { items: items.map(eventJson), nextCursor }, isRoutine: true };
    },
  };
}

function millisOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : toMillis(text);
}

export function eventJson({ id, type, subject, owner, source, at, data }: Event) {
  return { id, type, subject, owner, source, at: toDateTime(at), data };
}
