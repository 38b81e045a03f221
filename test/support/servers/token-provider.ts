import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIssuerKey } from './token-issuer.ts';

/** A real OpenID Connect provider that issues access tokens to one client (client credentials grant). */
export interface TokenProvider {
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly client: { readonly id: string; readonly secret: string };
  stop(): void;
}

/**
 * Starts a provider.
 *
 * @param audience the API for which the tokens are valid
 */
export async function startTokenProvider(audience: string): Promise<TokenProvider> {
  const server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const client = { id: 'app-1', secret: 'the-secret-of-the-application-in-tests' };
  // Silence the warnings that the provider is not set up for production.
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
