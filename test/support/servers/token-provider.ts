import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIssuerKey } from './token-issuer.ts';

/** A real OpenID Connect provider that issues access tokens to one client, which calls for itself. */
export interface TokenProvider {
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly client: { readonly id: string; readonly secret: string };
  stop(): void;
}

/** @param audience the API that the tokens are for */
export async function startTokenProvider(audience: string): Promise<TokenProvider> {
  const server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const client = { id: 'app-1', secret: 'the-secret-of-the-application-in-tests' };
  // The provider warns on the console that it is not set up for production.
  Object.assign(console, { info() {}, warn() {} });
  const { Provider } = await import('oidc-provider');
  const { jwk, privateKey } = createIssuerKey('RS256', 'rsa');
  const api = { scope: 'read', audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } };
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...jwk, ...privateKey.export({ format: 'jwk' }) }] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, defaultResource: () => audience, getResourceServerInfo: () => api },
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    tokenUrl: `${issuer}/token`,
    client,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
