import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../../shared/ui/data/time.tsx';
import { type Event, eventTypesQuery } from '../../api/events/events.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { KeyLink } from '../../parts/keys/key-link.tsx';
import { PlanLink, usePlanNames } from '../../parts/plan-link.tsx';
import { WebhookName } from '../../parts/webhooks/webhook-name.tsx';
import { describeEvent, type Part } from './event-words.ts';

/** Describes an event in a sentence with links. */
export function EventSummary({ event }: { readonly event: Event }) {
  const types = useQuery(eventTypesQuery).data;
  return (
    <span>
      {describeEvent(event, types, usePlanNames()).map((part, index) => (
        // The sentence of an event never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <EventPart key={index} part={part} />
      ))}
    </span>
  );
}

function EventPart({ part }: { readonly part: Part }) {
  if (typeof part === 'string') return part;
  if (part.as === 'key') return <KeyLink id={part.id} name={part.name} />;
  if (part.as === 'plan') return <PlanLink id={part.id} />;
  if (part.as === 'account') return <AccountLink id={part.id} />;
  if (part.as === 'webhook') return <WebhookName id={part.id} />;
  if (part.as === 'time') return <Moment at={part.at} />;
  if (part.as === 'given') return <bdi>{part.text}</bdi>;
  return (
    <Link to="/operations/$id" params={{ id: part.id }}>
      <code>{part.name ?? part.id}</code>
    </Link>
  );
}
