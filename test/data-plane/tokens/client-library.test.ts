/**
 * A client library (oauth4webapi) can read the metadata of the API (RFC 9728) and the challenges in refusals (RFC
 * 6750).
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allowInsecureRequests,
  processResourceDiscoveryResponse,
  protectedResourceRequest,
  resourceDiscoveryRequest,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { stringify } from 'yaml';
import { generateSecret } from '../../../src/domain/key-format.ts';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');
/** The library accepts HTTP only with this option. */
const overHttp = { [allowInsecureRequests]: true };

let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const openapi = join(temporaryDirectory(), 'api.yaml');
  const responses = { 200: { description: 'What was seen' } };
  const security = [{ oauth: ['pets:read', 'pets:write'] }];
  const document = {
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    components: { securitySchemes: { oauth: { type: 'oauth2', flows: {} } } },
    paths: { '/echo': { get: { operationId: 'getEcho', security, responses } } },
  };
  writeFileSync(openapi, stringify(document));
  const module = join(root, 'test/support/services/contract-service.ts');
  gateway = await startTestGateway({
    settings: {
      upstreams: [{ name: 'a', openapi, module, scopes: 'enforce' }],
      tokens: [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE] }],
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

function createToken(claims: object): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  return signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: AUDIENCE, azp: 'app', exp, ...claims });
}

/** Reads the challenge in the response to a call with this token. */
async function readChallenge(token: string) {
  const url = new URL('/echo', gateway.url);
  const error = await protectedResourceRequest(token, 'GET', url, undefined, undefined, overHttp).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof WWWAuthenticateChallengeError)) throw new Error('there is no challenge', { cause: error });
  const [challenge, ...others] = error.cause;
  expect([challenge?.scheme, others]).toEqual(['bearer', []]);
  return { status: error.status, parameters: challenge?.parameters };
}

test('the client library finds the issuer from the URL of the API', async () => {
  const api = new URL(gateway.url);
  const response = await resourceDiscoveryRequest(api, overHttp);
  const metadata = await processResourceDiscoveryResponse(api, response);
  expect(metadata).toEqual({
    resource: gateway.url,
    authorization_servers: [issuer.url],
    bearer_methods_supported: ['header'],
  });
});

test('the client library finds the metadata from the challenge of a call without credentials, which has no error', async () => {
  const challenge = (await gateway.call('/echo', { key: null })).headers.get('www-authenticate') ?? '';
  const metadata = `${gateway.url}/.well-known/oauth-protected-resource`;
  expect(challenge).toBe(`Bearer realm="tollgate", resource_metadata="${metadata}"`);
  const response = await fetch(metadata);
  expect((await processResourceDiscoveryResponse(new URL(gateway.url), response)).authorization_servers).toEqual([
    issuer.url,
  ]);
});

test.each<[string, () => string, number, object]>([
  [
    'a token with too few scopes',
    () => createToken({ scope: 'pets:read' }),
    403,
    { error: 'insufficient_scope', scope: 'pets:read pets:write' },
  ],
  ['an expired token', () => createToken({ exp: 1 }), 401, { error: 'invalid_token' }],
  ['a token with another signature', () => `${createToken({}).slice(0, -8)}AAAAAAAA`, 401, { error: 'invalid_token' }],
  ['a token for another API', () => createToken({ aud: 'https://other.example.com' }), 401, { error: 'invalid_token' }],
])('the client library can parse the WWW-Authenticate challenge after %s', async (_, create, status, parameters) => {
  const metadata = `${gateway.url}/.well-known/oauth-protected-resource`;
  expect(await readChallenge(create())).toEqual({ status, parameters: { ...parameters, resource_metadata: metadata } });
});

test('the challenge after an unknown key has no token error', async () => {
  expect(await readChallenge(generateSecret())).toEqual({ status: 401, parameters: { realm: 'tollgate' } });
});

test('the client library gets a response to a call with the required scopes', async () => {
  const token = createToken({ scope: 'pets:write pets:read' });
  const url = new URL('/echo', gateway.url);
  expect((await protectedResourceRequest(token, 'GET', url, undefined, undefined, overHttp)).status).toBe(200);
});
