import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { isStatus } from '../../../shared/transport/error.ts';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type EventType, eventTypesQuery } from '../../api/events/webhooks.ts';
import { groupTypes } from '../../../shared/webhooks/type-groups.ts';
import { partQuery } from '../../api/reference.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { Missing } from '../../parts/missing.tsx';
import { type Delivered, deliveredAt, deliveredBody } from '../../reference/events/delivered.ts';
import { ApiDocument } from '../../reference/model/document.ts';
import { Code } from '../../code/code.tsx';
import { SchemaFields } from '../../reference/view/schema-fields.tsx';
import { type Neighbor, Neighbors } from '../operation/neighbors.tsx';
import { AudienceBadge } from './audience-badge.tsx';
import styles from './events-screen.module.css';

const UP = <Link to="/events">Events</Link>;

/** Explains an event type, and what is delivered for it. */
export function EventScreen() {
  const { type: name } = useParams({ from: '/events/$type' });
  const types = useQuery(eventTypesQuery);
  const type = types.data?.find((each) => each.name === name);
  const isOfService = type?.schema === null;
  const part = useQuery({ ...partQuery('event', name), enabled: isOfService });
  // A 404 is no failure, because a service may send events that its document does not describe.
  const document = part.data ?? (isOfService && !isStatus(part.error, 404) ? undefined : {});
  if (type !== undefined && document !== undefined) {
    return <OneEvent type={type} types={types.data ?? []} delivered={deliveredBody(new ApiDocument(document), type)} />;
  }
  const failed = [types, part].find(({ isError, data }) => isError && data === undefined);
  return (
    <Page title="Event" above={UP}>
      {failed !== undefined && <ReadFailure query={failed} what="the event" />}
      {failed === undefined && (types.isPending || type !== undefined) && <Loading label="Loading the event" />}
      {types.data !== undefined && type === undefined && (
        <Missing what="event type" to="/events" link="All events">
          It may have been removed, or may not be available to you.
        </Missing>
      )}
    </Page>
  );
}

interface Props {
  readonly type: EventType;
  readonly types: readonly EventType[];
  readonly delivered: Delivered;
}

function OneEvent({ type, types, delivered }: Props) {
  const { name, summary, audience } = type;
  const { document, schema, example } = delivered;
  const listed = groupTypes(types).flatMap((group) => group.types);
  const index = listed.indexOf(type);
  return (
    <Page
      title={name}
      above={UP}
      heading={<code>{name}</code>}
      summary={
        <p>
          {summary} <AudienceBadge audience={audience} />
        </p>
      }
    >
      <div className={styles.columns}>
        <Section title="Fields in data">
          <SchemaFields document={document} schema={schema} at="data" />
        </Section>
        <Section title="Example" aside={<CopyIcon text={example} label="Copy the body" />}>
          <ScrollBox label="Example" className={styles.example}>
            {`${createHeaders(example)}\n\n`}
            <Code text={example} language="json" />
          </ScrollBox>
          <p>
            <Link to="/events" activeOptions={{ exact: true }}>
              Verify the signature
            </Link>{' '}
            before you act on the event, and process each <code>webhook-id</code> only once.
          </p>
        </Section>
      </div>
      <Neighbors label="Other events" previous={neighbor(listed[index - 1])} next={neighbor(listed[index + 1])} />
    </Page>
  );
}

function neighbor(type: EventType | undefined): Neighbor | undefined {
  return type && { name: type.name, to: '/events/$type', params: { type: type.name } };
}

function createHeaders(example: string): string {
  return [
    'POST /your/path HTTP/1.1',
    'content-type: application/json',
    'webhook-id: evt_3f9a61c2d07be48155aa',
    `webhook-timestamp: ${deliveredAt(example)}`,
    'webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ].join('\n');
}
