import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { frontQuery } from '../../api/front.ts';
import { Page } from '../../../shared/ui/page/page.tsx';
import { headingId } from '../../markdown/headings.ts';
import { LinkedHeading } from '../../markdown/linked-heading.tsx';
import { useChosenLanguage } from '../../reference/samples/chosen-language.ts';
import { Samples } from '../../reference/view/samples.tsx';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { GuideLink } from '../../markdown/guide-link.tsx';
import { OnThisPage } from './on-this-page.tsx';
import styles from './guides.module.css';

const STEPS = ['Create a key', 'Call the API', 'Watch your limits', 'Find out why a request was refused'] as const;

/** Guides the user from creating a key to a working call. */
export function GettingStarted() {
  const { apiUrl } = useSite();
  const isVisitor = useVisitor() === null;
  const [language, setLanguage] = useChosenLanguage();
  const { path = '/', acceptsToken = false } = useQuery(frontQuery).data?.firstCall ?? {};
  return (
    <Page title="Getting started" summary={<p>Make a first request in a few minutes.</p>}>
      <div className={styles.page}>
        <ol className={`${styles.guide} ${styles.steps}`}>
          <li>
            <Step title="Create a key" />
            <p>
              {isVisitor && (
                <>
                  Without an account, <Link to="/access">get access</Link> first.{' '}
                </>
              )}
              Go to <Link to="/keys">your keys</Link> and create one. The secret is shown only once: store it where your
              application reads its secrets, such as an environment variable.
            </p>
            <Code text="export API_KEY='<API_KEY>'" label="Copy the command" />
            {acceptsToken && (
              <p>
                An access token of an identity provider works in place of a key: see{' '}
                <GuideLink page="authentication">authentication</GuideLink>.
              </p>
            )}
          </li>
          <li>
            <Step title="Call the API" />
            <p>Send the key in a header. This request works as soon as the variable is set:</p>
            <Samples
              call={{ apiUrl, path, method: 'GET', headers: [], cookie: null, body: null, needsKey: true }}
              language={language}
              onLanguage={setLanguage}
            />
            <p>
              The <Link to="/reference">reference</Link> lists every operation, with sample code in eight languages and
              a form to try it.
            </p>
          </li>
          <li>
            <Step title="Watch your limits" />
            <p>
              Each response says how much of your limits is left. After a 429, wait for the number of seconds in{' '}
              <code>Retry-After</code> before the next request; see <GuideLink page="limits">limits</GuideLink>.{' '}
              <Link to="/usage">Your usage</Link> has the same figures.
            </p>
          </li>
          <li>
            <Step title="Find out why a request was refused" />
            <p>
              Each response has an <code>X-Request-Id</code>. If a request was refused,{' '}
              <Link to="/requests">look it up</Link> to find out why and what to do.
            </p>
          </li>
        </ol>
        <OnThisPage sections={STEPS.map((title) => ({ id: headingId(title), title }))} />
      </div>
    </Page>
  );
}

function Step({ title }: { readonly title: (typeof STEPS)[number] }) {
  return <LinkedHeading level={2} id={headingId(title)} title={title} />;
}
