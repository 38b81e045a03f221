import { Link } from '@tanstack/react-router';
import { Markdown } from '../../markdown/markdown.tsx';
import type { Credential, Operation } from '../model/operation.ts';

/** The security scheme of access tokens, which may replace the key. */
const TOKEN_SCHEME = 'AccessToken';

interface Props {
  readonly operation: Pick<Operation, 'serviceCredentials' | 'tokenAlternatives'>;
}

/** Explains the credentials of a call, if it can or must send others than the gateway's key. */
export function Credentials({ operation: { serviceCredentials: alternatives, tokenAlternatives: tokens } }: Props) {
  const needed = alternatives.filter((each) => each.length > 0);
  return (
    <>
      <p>
        Send your API key in <code>X-API-Key</code>
        {needed.length === 0
          ? '.'
          : `${alternatives.length > needed.length ? '. The service also accepts' : '. The service also needs'} ${
              needed.length > 1 ? 'one of these:' : 'this:'
            }`}
      </p>
      {needed.length > 0 && <Alternatives list={needed} />}
      {tokens.length > 0 && (
        <>
          <p>
            Accepted in place of the key (see{' '}
            <Link to="/docs/$page" params={{ page: 'authentication' }}>
              authentication
            </Link>
            ):
          </p>
          <Alternatives list={tokens} />
        </>
      )}
    </>
  );
}

function Alternatives({ list }: { readonly list: Operation['serviceCredentials'] }) {
  return (
    <ul>
      {list.map((each, index) => (
        <li key={index}>
          {each.map((credential) => (
            <OneCredential key={credential.name} credential={credential} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function OneCredential({
  credential: { name, isFromProvider, place, sentAs, scopes, description },
}: {
  readonly credential: Credential;
}) {
  return (
    <div>
      <strong>
        {isFromProvider || name === TOKEN_SCHEME ? 'An access token (OAuth 2.0 or OpenID Connect)' : name}
      </strong>{' '}
      in the {place === 'query' ? 'query parameter' : place} <code>{sentAs}</code>
      {scopes.length > 0 && (
        <>
          , with the {scopes.length === 1 ? 'scope' : 'scopes'} <code>{scopes.join(' ')}</code>
        </>
      )}
      .{description !== null && <Markdown text={description} />}
    </div>
  );
}
