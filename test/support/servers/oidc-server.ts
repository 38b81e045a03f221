import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as oidcProvider from 'oidc-provider';

export const CLIENT = { clientId: 'tollgate', clientSecret: 'the-secret-of-the-client-in-tests' };

export interface OidcServer {
  readonly issuer: string;
  /** The claims about the next user who signs in. */
  claims: Record<string, unknown> & { sub: string };
  /** The tokens that the provider has issued. */
  readonly tokens: string[];
  /** A listener that handles requests instead of the provider. Null if the provider does. */
  instead: RequestListener | null;
  stop(): void;
}

/**
 * Starts a real OpenID Connect provider that signs users in without a prompt. Like many providers, it returns groups
 * only from its userinfo endpoint.
 *
 * @param callback the registered redirect URI
 */
export async function startOidcServer(callback: string): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const state: OidcServer = {
    issuer,
    claims: { sub: 'nobody' },
    tokens: [],
    instead: null,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  silenceWarnings();
  const provider = createProvider(await import('oidc-provider'), issuer, callback, () => state.claims);
  provider.on('grant.success', ({ body }) => void state.tokens.push(body.access_token, body.id_token));
  const response = provider.callback();
  server.on('request', (req, res) => {
    if (state.instead !== null) state.instead(req, res);
    else if (req.url?.startsWith('/interaction/') !== true) response(req, res);
    else void provider.interactionFinished(req, res, { login: { accountId: state.claims.sub, remember: false } });
  });
  return state;
}

/** Silences the warnings that the provider is not set up for production. */
function silenceWarnings(): void {
  Object.assign(console, { info() {}, warn() {} });
}

function createProvider(
  library: typeof oidcProvider,
  issuer: string,
  callback: string,
  claims: () => OidcServer['claims'],
): oidcProvider.Provider {
  const provider: oidcProvider.Provider = new library.Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [callback],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  return provider;
}
