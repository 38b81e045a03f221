/**
 * Operators can restrict a caller with access tokens in the same ways as a key. Actions that need a secret are refused.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { pino } from 'pino';
import { deleteUnusedCallers } from '../../../src/control-plane/accounts/caller-deletion.ts';
import { openDatabase } from '../../../src/storage/open.ts';
import { seen } from '../../support/gateway/foreign-key-gateway.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { PortalBrowser } from '../../support/gateway/portal.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const AUDIENCE = 'https://api.example.com';
const DAY_MS = 86_400_000;
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  gateway = await start();
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

/**
 * Starts a gateway.
 *
 * @param options the data directory and the clock, for a gateway that is started again
 */
function start(options: { readonly dataDir?: string; readonly clock?: () => number } = {}): Promise<TestGateway> {
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE] }];
  return startTokenGateway(tokens, { ...options, more: { portal: { enabled: true } } });
}

function createToken(claims: object, now = Date.now()): string {
  const exp = Math.floor(now / 1000) + 300;
  return signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: AUDIENCE, exp, ...claims });
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
async function readJson(response: Promise<Response> | Response): Promise<any> {
  return (await response).json();
}

async function readOutcome(response: Promise<Response>): Promise<string> {
  const { status } = await response;
  return status === 200 ? '200' : `${status} ${(await readJson(response)).code}`;
}

async function change(method: string, path: string, json?: object): Promise<void> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await gateway.admin(path, { method, ...body });
  expect([path, response.ok || (await response.text())]).toEqual([path, true]);
}

interface Caller {
  readonly token: string;
  readonly id: string;
}

/** Registers a caller by its first accepted token. */
async function registerCaller(azp: string, at = gateway): Promise<Caller> {
  const token = createToken({ azp });
  const { headers } = await seen(callWithToken(at, token));
  return { token, id: String(headers['x-credential-id']) };
}

test('a plan that an operator gives to a caller applies', async () => {
  const { token, id } = await registerCaller('with-plan');
  await change('PATCH', `/v1/keys/${id}`, { plan: 'pro' });
  const { headers } = await seen(callWithToken(gateway, token));
  expect(headers).toMatchObject({ 'x-consumer-id': 'corp:with-plan', 'x-consumer-plan': 'pro' });
});

test('the limits of a caller are exact, even if it uses several tokens', async () => {
  const { id } = await registerCaller('with-limits');
  await change('PATCH', `/v1/keys/${id}`, { plan: 'enterprise', limits: { minute: 10, day: 1000 } });
  await change('POST', `/v1/keys/${id}/usage/reset`);
  const tokens = ['ann', 'ben', 'eve'].map((sub) => createToken({ azp: 'with-limits', sub }));
  const calls = Array.from({ length: 30 }, (_, index) => callWithToken(gateway, tokens[index % 3]!));
  const outcomes = await Promise.all(calls.map(readOutcome));
  expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(10);
  expect(new Set(outcomes)).toEqual(new Set(['200', '429 rate_limit_exceeded']));
});

test('a caller’s limit of concurrent requests applies to all of its tokens', async () => {
  const { token, id } = await registerCaller('concurrent');
  await change('PATCH', `/v1/keys/${id}`, { concurrent: 1 });
  const stream = new RawConnection(gateway.url);
  stream.send(`GET /events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await stream.until(/tick/);
  const another = createToken({ azp: 'concurrent', sub: 'ben' });
  expect(await readOutcome(callWithToken(gateway, another))).toBe('429 too_many_concurrent_requests');
  stream.close();
  await until(async () => (await readOutcome(callWithToken(gateway, another))) === '200');
});

test('a caller can be restricted to certain addresses', async () => {
  const { token, id } = await registerCaller('at-home');
  await change('PATCH', `/v1/keys/${id}`, { addresses: ['192.0.2.0/24'] });
  const from = (address: string) => readOutcome(callWithToken(gateway, token, { 'x-forwarded-for': address }));
  expect([await from('192.0.2.7'), await from('198.51.100.7')]).toEqual(['200', '403 address_not_allowed']);
});

test('a caller can be restricted to certain operations', async () => {
  const { token, id } = await registerCaller('reader');
  await change('PATCH', `/v1/keys/${id}`, { operations: ['getPublic'] });
  expect(await readOutcome(callWithToken(gateway, token))).toBe('403 operation_not_allowed');
  expect(await readOutcome(callWithToken(gateway, token, {}, { path: '/echo/public' }))).toBe('200');
});

test('a banned caller is refused until the ban is lifted', async () => {
  const { token, id } = await registerCaller('banned');
  await change('PUT', `/v1/keys/${id}/ban`, { seconds: 600, reason: 'test' });
  expect(await readOutcome(callWithToken(gateway, token))).toBe('403 key_banned');
  expect(await readOutcome(callWithToken(gateway, createToken({ azp: 'banned', sub: 'ben' })))).toBe('403 key_banned');
  await change('DELETE', `/v1/keys/${id}/ban`);
  expect(await readOutcome(callWithToken(gateway, token))).toBe('200');
});

test('refusals of a caller mention the caller instead of a key', async () => {
  const { token, id } = await registerCaller('refused');
  const readMessage = async (headers = {}): Promise<string> => {
    const { code, message } = await readJson(callWithToken(gateway, token, headers));
    return `${code}: ${message}`;
  };
  const changes: readonly (readonly [object, string])[] = [
    [{ operations: ['getPublic'] }, 'operation_not_allowed: The caller of this access token is restricted to other'],
    [{ operations: null, addresses: ['192.0.2.0/24'] }, 'address_not_allowed: The caller of this access token cannot'],
    [{ addresses: null, status: 'disabled' }, 'key_revoked: The caller of this access token is disabled or revoked.'],
    [{ status: 'active', expiresAt: new Date(Date.now() + 1).toISOString() }, 'key_expired: The access of the caller'],
  ];
  for (const [json, message] of changes) {
    await change('PATCH', `/v1/keys/${id}`, json);
    await until(async () => (await readMessage()).startsWith(message));
  }
  await change('PATCH', `/v1/keys/${id}`, { expiresAt: null });
  await change('PUT', `/v1/keys/${id}/ban`, { seconds: 600, reason: 'test' });
  expect(await readMessage()).toMatch(/^key_banned: The caller of this access token is temporarily banned/);
  const missing = await readJson(gateway.call('/echo', { key: null }));
  expect(missing).toMatchObject({ code: 'key_missing', message: expect.stringContaining('or access token') });
});

test('a revoked caller stays revoked after restarts, even if it was revoked long ago', async () => {
  const dataDir = temporaryDirectory();
  let at = Date.now();
  const clock = () => at;
  const first = await start({ dataDir, clock });
  const { id } = await registerCaller('revoked', first);
  const unused = await registerCaller('unused', first);
  const revocation = await first.admin(`/v1/keys/${id}`, { method: 'DELETE' });
  expect(revocation.status).toBe(204);
  const call = (to: TestGateway) => readOutcome(callWithToken(to, createToken({ azp: 'revoked' }, at)));
  expect(await call(first)).toBe('401 key_revoked');
  await first.stop();

  const second = await start({ dataDir, clock });
  expect(await call(second)).toBe('401 key_revoked');
  await second.stop();

  at += 400 * DAY_MS;
  const file = join(dataDir, 'tollgate.db');
  const database = await openDatabase({ kind: 'sqlite', file }, pino({ level: 'silent' }));
  expect(await deleteUnusedCallers(database, [issuer.url], at, () => false)).toBe(1);
  await database.close();
  const third = await start({ dataDir, clock });
  expect(await call(third)).toBe('401 key_revoked');
  // A caller that nobody has changed is deleted, and its next token creates another one.
  const { headers } = await seen(callWithToken(third, createToken({ azp: 'unused' }, at)));
  expect(headers['x-consumer-id']).toBe('corp:unused');
  expect(headers['x-credential-id']).not.toBe(unused.id);
  await third.stop();
});

test('a caller cannot revoke itself', async () => {
  const { token } = await registerCaller('shared');
  const path = '/_gateway/key/revoke';
  const headers = { authorization: `Bearer ${token}` };
  const refused = gateway.call(path, { key: null, method: 'POST', headers });
  expect(await readOutcome(refused)).toBe('403 operation_not_allowed');
  expect(await readOutcome(callWithToken(gateway, token))).toBe('200');
});

test('the portal neither lets a caller sign in nor sends calls as one', async () => {
  const { token } = await registerCaller('of-the-portal');
  const browser = new PortalBrowser(gateway.portalUrl);
  const preimage = ['token', issuer.url, 'azp', 'of-the-portal'].join('\0');
  for (const secret of [token, preimage]) {
    expect((await browser.post('/api/session', { key: secret })).body.code).toMatch(
      /^key_invalid$|^validation_failed$/,
    );
  }
  const headers = { Authorization: `Bearer ${token}` };
  expect((await browser.call('GET', '/api/keys', { headers })).status).toBe(401);

  const json = { owner: 'acme', name: 'Acme', email: null, plan: 'free' };
  const account = await readJson(gateway.admin('/v1/accounts', { method: 'POST', body: JSON.stringify(json) }));
  const caller = { kind: 'token', token: { name: 'corp', caller: 'of-acme' }, owner: 'acme' };
  const { id } = await readJson(gateway.admin('/v1/keys', { method: 'POST', body: JSON.stringify(caller) }));
  const link = `/v1/accounts/${account.id}/sign-in-link`;
  const { url } = await readJson(gateway.admin(link, { method: 'POST', body: '{}' }));
  expect((await browser.post('/api/session', { token: url.split('#token=')[1] })).status).toBe(201);
  const tried = await browser.post('/api/try', { keyId: id, method: 'GET', path: '/echo' });
  expect(tried).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: '/keyId' }] } });
});

test('the text whose hash identifies a caller is not accepted as a key', async () => {
  await registerCaller('hashed');
  const preimage = ['token', issuer.url, 'azp', 'hashed'].join('\0');
  for (const sent of [preimage, JSON.stringify(preimage).slice(1, -1), encodeURIComponent(preimage)]) {
    for (const header of [`X-API-Key: ${sent}`, `Authorization: Bearer ${sent}`]) {
      const connection = new RawConnection(gateway.url);
      connection.send(`GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n\r\n`);
      const response = await connection.until(/\r\n\r\n/);
      expect([header, response.slice(0, 12)]).toEqual([header, expect.stringMatching(/^HTTP\/1\.1 40[01]$/)]);
      connection.close();
    }
  }
});

test("a caller whose claims name an account or its owner does not get the account's quota", async () => {
  const json = { owner: 'globex', name: 'Globex', email: 'boss@globex.example', plan: 'pro' };
  const account = await readJson(gateway.admin('/v1/accounts', { method: 'POST', body: JSON.stringify(json) }));
  const email = { email: 'boss@globex.example', email_verified: true };
  for (const name of ['globex', account.id]) {
    for (const claims of [
      { sub: name, owner: 'globex', ...email },
      { azp: `app-${name}`, sub: name, owner: 'globex' },
    ]) {
      const { headers } = await seen(callWithToken(gateway, createToken(claims)));
      expect(headers).toMatchObject({
        'x-consumer-id': `corp:${'azp' in claims ? claims.azp : name}`,
        'x-consumer-plan': 'free',
      });
      const { quotaId } = await readJson(gateway.admin(`/v1/keys/${headers['x-credential-id']}`));
      expect(quotaId).toBe(headers['x-credential-id']);
    }
  }
  const { items } = await readJson(gateway.admin('/v1/keys?owner=globex'));
  expect(items).toEqual([]);
});

test('the service, the history, the explanation of a refusal and the events name the caller', async () => {
  const { token, id } = await registerCaller('known');
  const { headers } = await seen(callWithToken(gateway, token));
  expect(headers).toMatchObject({
    'x-consumer-id': 'corp:known',
    'x-consumer-plan': 'free',
    'x-credential-id': id,
  });
  await change('PUT', `/v1/keys/${id}/ban`, { seconds: 600, reason: 'test' });
  const refused = await callWithToken(gateway, token);
  const path = `/v1/requests/${refused.headers.get('x-request-id')}`;
  await until(async () => (await gateway.admin(path)).status === 200);
  const { refusals } = await readJson(gateway.admin(path));
  expect(refusals).toMatchObject([{ keyId: id, facts: { code: 'key_banned', plan: 'free' } }]);
  await until(async () => {
    const { series } = await readJson(gateway.admin('/v1/usage?by=owner&points=false'));
    return series.some(({ group }: { group: string }) => group === 'corp:known');
  });
  const { items } = await readJson(gateway.admin(`/v1/events?type=key.banned&subject=${id}`));
  expect(items).toMatchObject([{ owner: 'corp:known', data: { quotaId: id } }]);
});
