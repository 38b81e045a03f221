import { Markdown } from '../../markdown/markdown.tsx';
import type { Credential, Operation } from '../model/operation.ts';

/** The credentials that a call must send besides the key of the gateway. */
export function Credentials({ alternatives }: { readonly alternatives: Operation['serviceCredentials'] }) {
  return (
    <>
      <p>
        Send your API key in <code>X-API-Key</code>
        {alternatives.some((each) => each.length === 0) ? '. The service also accepts' : '. The service also needs'}
        {alternatives.filter((each) => each.length > 0).length > 1 ? ' one of these:' : ' this:'}
      </p>
      <ul>
        {alternatives
          .filter((each) => each.length > 0)
          .map((each) => (
            <li key={each.map(({ name }) => name).join(' ')}>
              {each.map((credential) => (
                <OneCredential key={credential.name} credential={credential} />
              ))}
            </li>
          ))}
      </ul>
    </>
  );
}

function OneCredential({
  credential: { name, isFromProvider, place, sentAs, scopes, description },
}: {
  readonly credential: Credential;
}) {
  return (
    <div>
      <strong>{isFromProvider ? 'An access token (OAuth 2.0 or OpenID Connect)' : name}</strong> in the{' '}
      {place === 'query' ? 'query parameter' : place} <code>{sentAs}</code>
      {scopes.length > 0 && (
        <>
          , with the {scopes.length === 1 ? 'scope' : 'scopes'} <code>{scopes.join(' ')}</code>
        </>
      )}
      .{description !== null && <Markdown text={description} />}
    </div>
  );
}
