/**
 * The gateway accepts access tokens of a real OpenID Connect provider (oidc-provider), from client credentials and
 * authorization codes, and while the provider rotates its keys.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import { createIssuerKey, type IssuerKey } from '../../support/servers/token-issuer.ts';

const API = 'https://api.example.com';
const CLIENT = { id: 'app-1', secret: 'the-secret-of-the-application-in-tests' };
const CALLBACK = 'https://app.example.com/callback';

let server: Server;
let issuer: string;
let handle: RequestListener;
let gateway: TestGateway;
/** The time by which the gateway's clock is ahead, in ms. */
let aheadMs = 0;
beforeAll(async () => {
  server = createServer((req, res) => handle(req, res));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  await publish('RS256', createIssuerKey('RS256', 'rsa'));
  gateway = await startTokenGateway([{ name: 'corp', issuer, audience: [API], caller: ['client_id'] }], {
    clock: () => Date.now() + aheadMs,
  });
});
afterAll(async () => {
  await gateway.stop();
  server.closeAllConnections();
  server.close();
});

/** Makes the provider sign with this key, and publish only this key. */
async function publish(alg: string, { jwk, privateKey }: IssuerKey): Promise<void> {
  // Silence the warnings that the provider is not set up for production.
  Object.assign(console, { info() {}, warn() {} });
  const { Provider } = await import('oidc-provider');
  const resource = { scope: 'read', audience: API, accessTokenFormat: 'jwt', jwt: { sign: { alg } } };
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...jwk, ...privateKey.export({ format: 'jwk' }) }] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [CALLBACK],
        response_types: ['code'],
        grant_types: ['authorization_code', 'client_credentials'],
        id_token_signed_response_alg: alg,
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: [alg] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => API,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resource,
      },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid');
      (grant as unknown as { addResourceScope(resource: string, scope: string): void }).addResourceScope(API, 'read');
      await grant.save();
      return grant;
    },
  });
  const respond = provider.callback();
  handle = (req, res) => {
    if (req.url?.startsWith('/interaction/') !== true) respond(req, res);
    else void provider.interactionFinished(req, res, { login: { accountId: 'ann', remember: false } });
  };
}

async function askForTokens(parameters: Record<string, string>): Promise<{ access_token: string; id_token?: string }> {
  const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const response = await fetch(`${issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(parameters) });
  expect([response.status, response.ok ? '' : await response.clone().text()]).toEqual([200, '']);
  return (await response.json()) as { access_token: string; id_token?: string };
}

async function clientCredentials(): Promise<string> {
  return (await askForTokens({ grant_type: 'client_credentials', scope: 'read' })).access_token;
}

/** Signs a user in like a browser, and exchanges the code for a token. */
async function authorizationCode() {
  const verifier = 'v'.repeat(50);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  let url = `${issuer}/auth?${query.toString()}`;
  const cookies = new Map<string, string>();
  while (!url.startsWith(CALLBACK)) {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`no redirect: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  const code = new URL(url).searchParams.get('code') ?? '';
  return askForTokens({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier });
}

async function outcome(token: string): Promise<unknown> {
  const response = await callWithToken(gateway, token);
  const body = (await response.json()) as { code?: string; headers: Record<string, string> };
  return body.code ?? body.headers['x-consumer-id'];
}

test('tokens that a client requests for itself and for a user belong to the same caller', async () => {
  expect(await outcome(await clientCredentials())).toBe('corp:app-1');
  const tokens = await authorizationCode();
  expect(await outcome(tokens.access_token)).toBe('corp:app-1');
  expect(await outcome(tokens.id_token ?? '')).toBe('token_invalid');
});

test('after rotations to other algorithms, tokens with the new keys are accepted, and tokens with the old keys are not', async () => {
  const old = await clientCredentials();
  expect(await outcome(old)).toBe('corp:app-1');
  for (const alg of ['ES256', 'EdDSA', 'PS256']) {
    await publish(alg, createIssuerKey(alg, `key for ${alg}`));
    expect(await outcome(await clientCredentials())).toBe('corp:app-1');
    // The key that signed the old token is no longer published.
    expect(await outcome(old)).toBe('token_invalid');
    aheadMs += 31_000;
  }
});
