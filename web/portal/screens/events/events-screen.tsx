import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pluralize } from '../../../shared/format/number.ts';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { groupTypes, type TypeGroup } from '../../../shared/webhooks/type-groups.ts';
import { type EventType, eventTypesQuery } from '../../api/events/webhooks.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import list from '../../parts/link-list.module.css';
import { AudienceBadge } from './audience-badge.tsx';
import styles from './events-screen.module.css';
import { HowTheyArrive } from './how-they-arrive.tsx';

/** Lists the events that the user can receive. */
export function EventsScreen() {
  const types = useQuery(eventTypesQuery);
  return (
    <Page
      title="Events"
      summary={
        <p>
          {types.data !== undefined &&
            `${pluralize(types.data.length, 'event type')}, each with its fields and an example. `}
          Add a <Link to="/webhooks">webhook</Link> to receive them.
        </p>
      }
    >
      {types.isPending && <Loading label="Loading the events" />}
      {types.isError && types.data === undefined && <ReadFailure query={types} what="the events" />}
      {types.data !== undefined && groupTypes(types.data).map((group) => <Group key={group.name} group={group} />)}
      <HowTheyArrive />
    </Page>
  );
}

function Group({ group: { name, types } }: { readonly group: TypeGroup<EventType> }) {
  return (
    <Section title={name}>
      <ul className={list.list}>
        {types.map((type) => (
          <li key={type.name}>
            <Link to="/events/$type" params={{ type: type.name }} className={`${list.row} ${styles.row}`}>
              <code className={styles.type}>{type.name}</code>
              <span className={list.summary}>{type.summary}</span>
              <AudienceBadge audience={type.audience} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
