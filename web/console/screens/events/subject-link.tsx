import { Link } from '@tanstack/react-router';
import { shortenId } from '../../../shared/format/id.ts';
import type { Event } from '../../api/events/events.ts';

/** Links to the subject of an event. */
export function SubjectLink({ event: { type, subject, source } }: { readonly event: Event }) {
  if (subject === null) return null;
  const id = <code title={subject}>{shortenId(subject)}</code>;
  // The subject of a service's event is an id of that service, so the console cannot link it.
  if (source !== 'gateway') return id;
  if (subject.startsWith('key_')) {
    return (
      <Link to="/keys/$id" params={{ id: subject }}>
        {id}
      </Link>
    );
  }
  if (subject.startsWith('whk_')) {
    return (
      <Link to="/webhooks/$id" params={{ id: subject }}>
        {id}
      </Link>
    );
  }
  if (type.startsWith('plan.')) {
    return (
      <Link to="/plans/$id" params={{ id: subject }}>
        {subject}
      </Link>
    );
  }
  if (type.startsWith('operation.')) {
    return (
      <Link to="/operations/$id" params={{ id: subject }}>
        <code>{subject}</code>
      </Link>
    );
  }
  return id;
}
