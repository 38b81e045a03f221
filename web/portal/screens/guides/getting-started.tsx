import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { frontQuery } from '../../api/front.ts';
import { Page } from '../../../shared/ui/page/page.tsx';
import { useChosenLanguage } from '../../reference/samples/chosen-language.ts';
import { Samples } from '../../reference/view/samples.tsx';
import { useSite } from '../../session/session-context.ts';
import styles from './guides.module.css';

/** From nothing to a call that works. */
export function GettingStarted() {
  const { apiUrl } = useSite();
  const [language, setLanguage] = useChosenLanguage();
  const path = useQuery(frontQuery).data?.firstCall.path ?? '/';
  return (
    <Page title="Getting started" answer={<p>Make a first request in a few minutes.</p>}>
      <ol className={`${styles.guide} ${styles.steps}`}>
        <li>
          <h2>Create a key</h2>
          <p>
            Go to <Link to="/keys">your keys</Link> and create one. The secret is shown only once: store it where your
            application reads its secrets, such as an environment variable.
          </p>
          <Code text="export API_KEY='<API_KEY>'" label="Copy the command" />
        </li>
        <li>
          <h2>Call the API</h2>
          <p>Send the key in a header. This request works as soon as the variable is set:</p>
          <Samples
            call={{ apiUrl, path, method: 'GET', headers: [], cookie: null, body: null, needsKey: true }}
            language={language}
            onLanguage={setLanguage}
          />
          <p>
            The <Link to="/reference">reference</Link> lists every operation, with sample code in eight languages and a
            form to try it.
          </p>
        </li>
        <li>
          <h2>Watch your limits</h2>
          <p>
            Each response says how many requests are left. After a 429, wait for the number of seconds in{' '}
            <code>Retry-After</code> before the next request; see{' '}
            <Link to="/docs/$page" params={{ page: 'limits' }}>
              limits
            </Link>
            . <Link to="/usage">Your usage</Link> has the same figures.
          </p>
        </li>
        <li>
          <h2>Find out why a request was refused</h2>
          <p>
            Each response has an <code>X-Request-Id</code>. If a request was refused,{' '}
            <Link to="/requests">look it up</Link> to find out why and what to do.
          </p>
        </li>
      </ol>
    </Page>
  );
}
