import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { BookOpen, KeyRound } from 'lucide-react';
import { plural } from '../../../shared/format/number.ts';
import { ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { frontQuery } from '../../api/front.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { FirstCall } from '../guides/first-call.tsx';
import { tagTitle } from '../../reference/model/tag-title.ts';
import { OfferedPlans } from '../plans/public-plans.tsx';
import { GuideLink } from '../../markdown/guide-link.tsx';
import styles from './front-screen.module.css';

/** What is this API, and how do I begin? In a session, the start is the overview. */
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
        <ol className={styles.steps}>
          <li>
            <h3>Get a key</h3>
            <p className={parts.muted}>
              <Link to="/access">Get access</Link>, then create a key. It is shown only once; the code reads it from the
              environment: <code>export API_KEY=…</code>
            </p>
          </li>
          <li>
            <h3>Send it with each request</h3>
            <FirstCall {...firstCall} />
          </li>
          <li>
            <h3>Stay within your limits</h3>
            <p className={parts.muted}>
              Each response says how much of them is left. See <GuideLink page="limits">how limits work</GuideLink>.
            </p>
          </li>
        </ol>
      </Section>
      <Section title={services.length === 1 ? 'What it offers' : 'Services'}>
        <div className={services.length === 1 ? undefined : styles.services}>
          {services.map(({ name, title: service, description: text, operations, tags }) => (
            <article key={name} className={parts.card}>
              <header className={parts.cardHead}>
                <h3>
                  <Link to="/reference" search={{ service: name }}>
                    <bdi>{service}</bdi>
                  </Link>
                </h3>
                <span className={parts.small}>{plural(operations, 'operation')}</span>
              </header>
              {text !== null && text !== description && <p className={parts.muted}>{text}</p>}
              <dl className={styles.tags}>
                {tags.map(({ name: tag, title: shown, description: about, operations: tagged }) => (
                  <div key={tag}>
                    <dt>
                      <bdi>{shown ?? tagTitle(tag)}</bdi>
                    </dt>
                    <dd>
                      {about} <span className={parts.small}>{plural(tagged, 'operation')}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </article>
          ))}
        </div>
      </Section>
      <Section title="Plans">
        <OfferedPlans />
      </Section>
    </Page>
  );
}
