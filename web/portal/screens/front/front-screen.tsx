import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { BookOpen, KeyRound } from 'lucide-react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { frontQuery } from '../../api/front.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { FirstCall } from '../guides/first-call.tsx';
import { tagTitle } from '../../reference/model/tag-title.ts';
import { OfferedPlans } from '../plans/public-plans.tsx';
import { GuideLink } from '../../markdown/guide-link.tsx';
import styles from './front-screen.module.css';

type Service = Schemas['Front']['services'][number];
type ResponseExample = NonNullable<Schemas['Front']['firstCall']['response']>;

/** The number of tags that are shown for a service. The reference has all of them. */
const MAX_TAGS = 6;

/** Describes the API, and how to begin. In a session, it redirects to the overview. */
export function FrontScreen() {
  return useVisitor() === null ? <Front /> : <Navigate to="/overview" replace />;
}

function Front() {
  const { title } = useSite();
  const front = useQuery(frontQuery);
  if (front.data === undefined) {
    return (
      <Page title={title} heading={<bdi>{title}</bdi>}>
        {front.isError ? <ReadFailure query={front} what="the introduction" /> : <Loading label="Loading" />}
      </Page>
    );
  }
  const { description, services, firstCall } = front.data;
  return (
    <Page
      title="Introduction"
      heading={<bdi>{title}</bdi>}
      summary={description !== null && <p className={styles.lead}>{description}</p>}
    >
      <div className={parts.actions}>
        <Link to="/access" className={buttonClass('primary')}>
          <ButtonContent icon={KeyRound}>Get access</ButtonContent>
        </Link>
        <Link to="/reference" className={buttonClass('plain')}>
          <ButtonContent icon={BookOpen}>Read the reference</ButtonContent>
        </Link>
      </div>
      <Section title="Three steps to a first call">
        <div className={styles.start}>
          <ol className={styles.steps}>
            <li>
              <h3>Get a key</h3>
              <p className={parts.muted}>
                Get an account, then create a key in it. The key is shown only once. The samples read it from the
                environment: <code>export API_KEY=…</code>
              </p>
            </li>
            <li>
              <h3>Send it with each request</h3>
              <p className={parts.muted}>
                Paste this command into a terminal, or look for an operation in the{' '}
                <Link to="/reference">reference</Link> and try it there.
              </p>
            </li>
            <li>
              <h3>Stay within your limits</h3>
              <p className={parts.muted}>
                Each response says how much of your limits is left. See{' '}
                <GuideLink page="limits">how limits work</GuideLink>.
              </p>
            </li>
          </ol>
          <div className={styles.call}>
            <FirstCall {...firstCall} />
            {firstCall.response !== null && <FirstResponse {...firstCall.response} />}
          </div>
        </div>
      </Section>
      <Section title="Plans">
        <OfferedPlans />
      </Section>
      <Section title={services.length === 1 ? 'What it offers' : 'Services'}>
        <div className={services.length === 1 ? undefined : styles.services}>
          {services.map((service) => (
            <ServiceCard key={service.name} service={service} about={description} />
          ))}
        </div>
      </Section>
    </Page>
  );
}

/** Shows the example response to the first call, from the document. */
function FirstResponse({ status, mediaType, body }: ResponseExample) {
  return (
    <figure className={styles.response}>
      <figcaption>
        Example response: <code>{status}</code> <code>{mediaType}</code>
      </figcaption>
      <ScrollBox label="Example response">{body}</ScrollBox>
    </figure>
  );
}

interface ServiceCardProps {
  readonly service: Service;
  /** The description of the API. If the API has a single service, it may be the description of that service. */
  readonly about: string | null;
}

function ServiceCard({ service: { name, title, description, operations, tags }, about }: ServiceCardProps) {
  const more = tags.length - MAX_TAGS;
  return (
    <article className={parts.card}>
      <header className={parts.cardHead}>
        <h3>
          <Link to="/reference" search={{ service: name }}>
            <bdi>{title}</bdi>
          </Link>
        </h3>
        <span className={parts.small}>{pluralize(operations, 'operation')}</span>
      </header>
      {description !== null && description !== about && <p className={parts.muted}>{description}</p>}
      <ul className={styles.tags}>
        {tags.slice(0, MAX_TAGS).map((tag) => (
          <li key={tag.name}>
            <Link to="/reference" search={{ service: name, tag: tag.name }}>
              <bdi>{tag.title ?? tagTitle(tag.name)}</bdi>
            </Link>{' '}
            <span className={parts.small}>{pluralize(tag.operations, 'operation')}</span>
            {tag.description !== null && <p className={parts.muted}>{tag.description}</p>}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Link to="/reference" search={{ service: name }}>
            {formatCount(more)} more
          </Link>
        </p>
      )}
    </article>
  );
}
