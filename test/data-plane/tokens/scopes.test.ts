/** The scopes that operations require of access tokens, for a module, for a service over HTTP, and for the pet store. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { petstore, root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { createService } from '../../support/services/contract-service.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

/**
 * Security requirements by operation name. An operation with undefined inherits the requirement of the document, the
 * scope `default`.
 */
const SECURITY = {
  inherited: undefined,
  read: [{ oauth: ['read'] }],
  both: [{ oauth: ['read', 'write'] }],
  either: [{ oauth: ['read', 'write'] }, { oidc: ['admin'] }],
  twoSchemes: [{ oauth: ['read'], oidc: ['write'] }],
  withKey: [{ serviceKey: [], oauth: ['read'] }],
  keyOrToken: [{ serviceKey: [] }, { oauth: ['read'] }],
  keyOnly: [{ serviceKey: [], basic: ['ignored'] }],
  optional: [{ oauth: ['read'] }, {}],
  anyToken: [{ oauth: [] }, { oidc: ['read'] }],
  nothing: [{}],
  open: [],
};
const flows = { clientCredentials: { tokenUrl: 'https://login.example.com/token', scopes: {} } };
const securitySchemes = {
  oauth: { $ref: '#/components/securitySchemes/real' },
  real: { type: 'oauth2', flows },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration' },
  serviceKey: { type: 'apiKey', in: 'header', name: 'X-Service-Key' },
  basic: { type: 'http', scheme: 'basic' },
};

let service: HttpService;
let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
  issuer = await startTokenIssuer([key.jwk]);
  const folder = temporaryDirectory();
  const paths = Object.fromEntries(
    Object.entries(SECURITY).map(([name, security]) => {
      const operation = { operationId: name, responses: { 200: { description: 'What was seen' } } };
      return [`/echo/${name}`, { get: security === undefined ? operation : { ...operation, security } }];
    }),
  );
  const info = { title: 'API', version: '1' };
  const openapi = join(folder, 'api.yaml');
  const document = { openapi: '3.1.0', info, security: [{ oauth: ['default'] }], components: { securitySchemes } };
  writeFileSync(openapi, stringify({ ...document, paths }));
  const overlay = join(folder, 'overlay.yaml');
  const actions = [
    { target: '$.components', update: { securitySchemes: { login: { type: 'oauth2', flows } } } },
    { target: "$.paths['/pets'].get", update: { security: [{ login: ['pets:read'] }] } },
  ];
  writeFileSync(overlay, stringify({ overlay: '1.0.0', info, actions }));
  const module = join(root, 'test/support/services/contract-service.ts');
  const names = (name: string) => ({ name, openapi, prefix: `/${name}`, idPrefix: `${name}.` });
  gateway = await startTestGateway({
    settings: {
      upstreams: [
        { ...names('module'), module, scopes: 'enforce' },
        { ...names('http'), targets: [service.url], scopes: 'enforce' },
        { ...names('ignoring'), module },
        { ...petstore, overlays: [overlay], scopes: 'enforce' },
      ],
      tokens: [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE] }],
      bans: { strikes: 1, grace: '0ms', patience: '1ms' },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
  await service.close();
});

function createToken(claims: object): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  return signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: AUDIENCE, azp: 'app', exp, ...claims });
}

async function outcome(path: string, claims: object, secret: string | null = null): Promise<string> {
  const response = await callWithToken(gateway, createToken(claims), {}, { path, key: secret });
  const text = await response.text();
  return response.status === 200 ? 'served' : `${response.status} ${(JSON.parse(text) as { code: string }).code}`;
}

const MISSING = '403 insufficient_scope';

describe.each(['/module', '/http'])('an operation below %s', (prefix) => {
  test.each<[keyof typeof SECURITY, object, string]>([
    ['inherited', { scope: 'default' }, 'served'],
    ['inherited', { scope: 'read' }, MISSING],
    ['read', {}, MISSING],
    ['read', { scope: 'read' }, 'served'],
    ['read', { scope: 'write read' }, 'served'],
    ['read', { scp: 'write read' }, 'served'],
    ['read', { scp: ['write', 'read'] }, 'served'],
    ['read', { scope: ['write', 'read'] }, 'served'],
    ['read', { scope: 'readonly' }, MISSING],
    ['read', { scope: 'Read' }, MISSING],
    ['read', { scope: 'xread read2' }, MISSING],
    ['read', { scope: '  read  ' }, 'served'],
    ['read', { scope: 'write,read' }, MISSING],
    ['read', { scp: ['write read'] }, MISSING],
    ['read', { scp: [['read']] }, MISSING],
    ['read', { scope: { read: true } }, MISSING],
    ['read', { scope: null, scp: 7 }, MISSING],
    ['read', { roles: ['read'], permissions: ['read'] }, MISSING],
    ['both', { scope: 'read' }, MISSING],
    ['both', { scope: 'read', scp: ['write'] }, 'served'],
    ['both', { scope: 'write read' }, 'served'],
    ['either', { scope: 'write' }, MISSING],
    ['either', { scope: 'admin' }, 'served'],
    ['either', { scope: 'read write' }, 'served'],
    ['twoSchemes', { scope: 'read' }, MISSING],
    ['twoSchemes', { scope: 'read write' }, 'served'],
    ['withKey', {}, MISSING],
    ['withKey', { scope: 'read' }, 'served'],
    ['keyOrToken', {}, MISSING],
    ['keyOrToken', { scope: 'read' }, 'served'],
    ['keyOnly', {}, 'served'],
    ['optional', {}, 'served'],
    ['anyToken', {}, 'served'],
    ['nothing', {}, 'served'],
    ['open', {}, 'served'],
  ])('that requires the scopes "%s" handles a token with the claims %j as %s', async (name, claims, expected) => {
    expect(await outcome(`${prefix}/echo/${name}`, claims)).toBe(expected);
  });

  test('is served to callers with keys, even if they also send a token without the scopes', async () => {
    expect((await gateway.call(`${prefix}/echo/both`)).status).toBe(200);
    expect(await outcome(`${prefix}/echo/both`, {}, gateway.demoKey)).toBe('served');
  });
});

test('scopes are ignored unless they are enforced', async () => {
  for (const name of Object.keys(SECURITY)) expect(await outcome(`/ignoring/echo/${name}`, {})).toBe('served');
});

test('the pet store enforces the scopes that an overlay requires', async () => {
  expect(await outcome('/pets', { scope: 'pets:write' })).toBe(MISSING);
  expect(await outcome('/pets', { scope: 'pets:read' })).toBe('served');
});

test('the refusal names the required scopes in its body and challenge', async () => {
  const refuse = async (name: string) => {
    const response = await callWithToken(gateway, createToken({}), {}, { path: `/module/echo/${name}` });
    return { body: await response.json(), challenge: response.headers.get('www-authenticate') };
  };
  const metadata = `${gateway.url}/.well-known/oauth-protected-resource`;
  expect(await refuse('both')).toEqual({
    body: {
      code: 'insufficient_scope',
      message: 'The access token does not have the scopes that this operation requires. See details.',
      status: 403,
      details: [{ path: '/scope', message: 'must have "read write"' }],
    },
    challenge: `Bearer error="insufficient_scope", scope="read write", resource_metadata="${metadata}"`,
  });
  expect(await refuse('either')).toMatchObject({
    body: { details: [{ message: 'must have "read write" or "admin"' }] },
    challenge: expect.stringContaining('scope="read write"'),
  });
});

test('the refusal is not charged, earns no strike, and does not reach the service', async () => {
  const claims = { azp: 'persistent' };
  const call = (scope: string) =>
    callWithToken(gateway, createToken({ ...claims, scope }), {}, { path: '/module/echo/read' });
  expect((await call('read')).headers.get('x-ratelimit-remaining')).toBe('59');
  const responses = await Promise.all(Array.from({ length: 100 }, () => call('write')));
  for (const { status, headers } of responses) {
    expect([status, headers.get('x-ratelimit-remaining'), headers.get('retry-after')]).toEqual([403, '59', null]);
  }
  const served = await call('read');
  expect([served.status, served.headers.get('x-ratelimit-remaining')]).toEqual([200, '58']);
});

test('a WebSocket handshake needs the scopes, too', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const headers = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const { request } = await import('node:http');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const authorization = `Bearer ${createToken({})}`;
    const sent = request(`${gateway.url}/module/echo/read`, { headers: { ...headers, authorization } });
    sent.on('response', (response) => resolve(response.resume().statusCode));
    sent.on('error', reject);
    sent.end();
  });
  expect(status).toBe(403);
});

test('the log, metrics, history and explanation show the refusal', async () => {
  const refused = await callWithToken(gateway, createToken({ azp: 'logged' }), {}, { path: '/module/echo/both' });
  const requestId = refused.headers.get('x-request-id');
  await until(() => gateway.responses().some((line) => line['requestId'] === requestId));
  expect(gateway.responses().find((line) => line['requestId'] === requestId)).toMatchObject({
    reason: 'insufficient_scope',
    status: 403,
  });
  const metrics = await (await gateway.admin('/metrics')).text();
  expect(metrics).toMatch(/^tollgate_refusals_total\{reason="insufficient_scope",upstream="module"\} \d+$/m);

  const path = `/v1/requests/${requestId}`;
  await until(async () => (await gateway.admin(path)).status === 200);
  const explained = (await (await gateway.admin(path)).json()) as { answer: string };
  expect(explained).toMatchObject({ refusals: [{ facts: { code: 'insufficient_scope', charged: 0 } }] });
  expect(JSON.stringify(explained)).toContain('requires the scopes \\"read write\\"');
  const own = await callWithToken(
    gateway,
    createToken({ azp: 'logged' }),
    {},
    { path: `/_gateway/requests/${requestId}` },
  );
  expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('ask your identity provider')]);
});
