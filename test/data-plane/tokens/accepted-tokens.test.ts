/** A valid access token names a caller, who is served like the holder of a key. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seen } from '../../support/gateway/foreign-key-gateway.ts';
import { testConfig, type TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway, tokenSettings } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let closed: TokenIssuerServer;
let away: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  [issuer, closed, away] = await Promise.all([
    startTokenIssuer([key.jwk]),
    startTokenIssuer([key.jwk]),
    startTokenIssuer([]),
  ]);
  away.instead = (_, res) => res.destroy();
  gateway = await startTokenGateway([
    { name: 'corp', issuer: issuer.url, audience: [AUDIENCE] },
    { name: 'closed', issuer: closed.url, audience: [AUDIENCE], forward: false, register: false },
    { name: 'away', issuer: away.url, audience: [AUDIENCE] },
  ]);
});
afterAll(async () => {
  await gateway.stop();
  for (const server of [issuer, closed, away]) server.stop();
});

const token = (more: object = {}, iss = issuer.url) => {
  const exp = Math.floor(Date.now() / 1000) + 300;
  return signToken(key, { alg: key.alg, kid: 'one' }, { iss, aud: AUDIENCE, azp: 'app-1', sub: 'ann', exp, ...more });
};
const readCode = async (response: Promise<Response>) => ((await (await response).json()) as { code?: string }).code;

test('the service receives the caller and the token', async () => {
  const sent = token();
  const { headers } = await seen(callWithToken(gateway, sent));
  expect(headers).toMatchObject({
    authorization: `Bearer ${sent}`,
    'x-consumer-id': 'corp:app-1',
    'x-consumer-plan': 'free',
  });
  // Another token of the same caller, and the same token sent again, belong to the same key.
  for (const again of [token({ sub: 'ben' }), sent]) {
    const other = await seen(callWithToken(gateway, again));
    expect(other.headers['x-credential-id']).toBe(headers['x-credential-id']);
  }
  const response = await callWithToken(gateway, sent);
  expect([response.headers.get('x-ratelimit-limit'), response.headers.get('x-ratelimit-remaining')]).toEqual([
    '60',
    '56',
  ]);
});

test('concurrent requests of a new caller create it once', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => seen(callWithToken(gateway, token({ azp: 'new' })))),
  );
  expect(new Set(responses.map(({ headers }) => headers['x-credential-id'])).size).toBe(1);
});

test('if a key is sent as well, the caller is that of the key, and the token must be valid', async () => {
  const { demoKey } = gateway;
  const sent = token({ azp: 'beside-a-key' });
  const { headers } = await seen(callWithToken(gateway, sent, {}, { key: demoKey }));
  expect(headers).toMatchObject({ authorization: `Bearer ${sent}`, 'x-consumer-id': 'demo' });
  expect(await readCode(callWithToken(gateway, token({ aud: 'x' }), {}, { key: demoKey }))).toBe('token_invalid');
  expect(await readCode(callWithToken(gateway, sent, {}, { key: `${demoKey.slice(0, -1)}_` }))).toBe('key_invalid');
  expect(await (await gateway.admin('/v1/keys')).text()).not.toContain('beside-a-key');
  const hidden = await seen(callWithToken(gateway, token({}, closed.url), {}, { key: demoKey }));
  expect(hidden.headers['authorization']).toBeUndefined();
});

test('a token is also checked on operations that need no key', async () => {
  const path = '/echo/public';
  expect((await seen(callWithToken(gateway, token(), {}, { path }))).headers['x-consumer-id']).toBe('corp:app-1');
  expect(await readCode(callWithToken(gateway, token({ aud: 'x' }), {}, { path }))).toBe('token_invalid');
});

test('with register: false, a new caller is refused', async () => {
  const response = await callWithToken(gateway, token({}, closed.url));
  expect(response.status).toBe(403);
  expect(((await response.json()) as { code: string }).code).toBe('caller_unknown');
});

test('until the keys of an issuer are fetched, its tokens are refused with 503', async () => {
  const response = await callWithToken(gateway, token({}, away.url));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(((await response.json()) as { code: string }).code).toBe('token_keys_unavailable');
});

test('new callers above 60 a minute are temporarily refused', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `many-${index}`);
  const codes = await Promise.all(names.map((azp) => readCode(callWithToken(gateway, token({ azp })))));
  const refused = codes.filter((code) => code !== undefined);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(new Set(refused)).toEqual(new Set(['overloaded']));
  const response = await callWithToken(gateway, token({ azp: 'one-more' }));
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await readCode(callWithToken(gateway, token()))).toBeUndefined();
});

test('tokens never appear in the log', async () => {
  const sent = token();
  await callWithToken(gateway, sent, {}, { path: `/nowhere/${sent}` });
  await gateway.call(`/nowhere/${sent}`, { key: null });
  await callWithToken(gateway, sent.replace(/[^.]+$/, 'forged'), { 'x-request-id': sent.slice(0, 100) });
  const log = gateway.logs.join('');
  expect(log).toContain('/nowhere/eyJ…');
  for (const part of sent.split('.').slice(1)) expect(log).not.toContain(part);
});

test('the protected resource metadata names the issuers', async () => {
  const path = '/.well-known/oauth-protected-resource';
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com' };
  const response = await gateway.call(path, { key: null, headers });
  expect(await response.json()).toEqual({
    resource: 'https://api.example.com',
    authorization_servers: [issuer.url, closed.url, away.url],
    bearer_methods_supported: ['header'],
  });
  expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
  const refused = await gateway.call('/echo', { key: null, headers });
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer realm="tollgate", resource_metadata="https://api.example.com${path}"`,
  );
});

test('an invalid issuer configuration is rejected, and the error names the reason', () => {
  const load = (...tokens: object[]) => testConfig(temporaryDirectory(), { settings: tokenSettings(tokens) });
  const corp = { name: 'corp', issuer: 'https://login.example.com', audience: ['a'] };
  expect(load(corp).live.tokens[0]).toMatchObject({ algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'], register: true });
  expect(() => load({ ...corp, audience: [] })).toThrow('must name at least one audience');
  expect(() => load({ ...corp, algorithms: ['HS256'] })).toThrow('must be one of RS256');
  expect(() => load({ ...corp, algorithms: ['none'] })).toThrow('must be one of RS256');
  expect(() => load({ ...corp, issuer: 'http://login.example.com' })).toThrow('must be an https:// URL');
  expect(() => load({ ...corp, issuer: 'not a URL', jwksUri: 'https://login.example.com/jwks' })).toThrow(
    'exact value of iss',
  );
  expect(() => load({ ...corp, jwksUri: 'http://login.example.com/jwks' })).toThrow('must be an https:// URL');
  expect(() => load(corp, corp)).toThrow('another entry has the name corp');
  expect(() => load(corp, { ...corp, name: 'other' })).toThrow(
    'another entry has the issuer https://login.example.com',
  );
});
