import { Link } from '@tanstack/react-router';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { curlSample } from '../../reference/samples/curl.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useSite } from '../../session/session-context.ts';

/**
 * A first call as a line for the terminal. It is shown for curl only, so that the page need not load the code of other
 * languages.
 */
export function FirstCall({ path, needsKey, acceptsToken }: Schemas['Front']['firstCall']) {
  const { apiUrl } = useSite();
  const call = { apiUrl, path, method: 'GET', headers: [], cookie: null, body: null, needsKey };
  return (
    <>
      <Code text={curlSample(call)} label="Copy the curl command" />
      {needsKey && acceptsToken && (
        <p>
          An access token works in place of a key: see{' '}
          <Link to="/docs/$page" params={{ page: 'authentication' }}>
            authentication
          </Link>
          .
        </p>
      )}
    </>
  );
}
