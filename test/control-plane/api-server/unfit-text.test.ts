/**
 * The attack: someone gives a key, a webhook or an account a name with characters that change the direction of text, so
 * that it looks like another name. Half of a surrogate pair is also a problem, because one database replaces it and the
 * other rejects it. Both are rejected wherever people can set a text.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Portal, type PortalBrowser, startPortal } from '../../support/gateway/portal.ts';

const REVERSED = 'Acme\u202etxt.exe';
const HALF = 'Acme \ud83d';

let portal: Portal;
let browser: PortalBrowser;
let keyId: string;
beforeAll(async () => {
  portal = await startPortal({
    settings: { events: { allowPrivate: true }, portal: { public: true, signUp: 'request' } },
  });
  browser = await portal.signInAs(await portal.account('acme'));
  keyId = (await browser.post('/api/keys', { name: 'Mine' })).body.id;
});
afterAll(() => portal.stop());

async function admin(method: string, path: string, json: object, headers: Record<string, string> = {}) {
  const response = await portal.gateway.admin(path, { method, body: JSON.stringify(json), headers });
  return { status: response.status, body: await response.json() };
}

const refused = (path: string, message: RegExp) => ({
  status: 400,
  body: { code: 'validation_failed', details: [{ path, message: expect.stringMatching(message) }] },
});

const newKey = { owner: 'acme', name: 'Shop', plan: 'free' };
const plan = { id: 'gold', name: 'Gold', limits: { minute: 1, day: 1 } };
const account = { owner: 'globex', name: 'Globex', email: null, plan: 'free' };
const accountRequest = { name: 'Ann', email: 'ann@example.com', purpose: '' };
const webhook = { url: 'https://hooks.example.com/in', types: ['*'] };

test.each([
  ['POST', '/v1/keys', '/name', (text: string) => ({ ...newKey, name: text })],
  ['POST', '/v1/keys', '/metadata/team', (text: string) => ({ ...newKey, metadata: { team: text } })],
  ['POST', '/v1/keys/import', '/keys/1/name', (text: string) => ({ keys: [newKey, { ...newKey, name: text }] })],
  ['POST', '/v1/plans', '/name', (text: string) => ({ ...plan, name: text })],
  ['POST', '/v1/plans', '/description', (text: string) => ({ ...plan, description: text })],
  ['POST', '/v1/accounts', '/name', (text: string) => ({ ...account, name: text })],
  ['POST', '/v1/webhooks', '/description', (text: string) => ({ ...webhook, description: text })],
  ['PUT', '/v1/keys/KEY/ban', '/reason', (text: string) => ({ seconds: 60, reason: text })],
])('the admin API rejects invisible and incomplete characters: %s %s, field %s', async (method, path, field, body) => {
  const to = path.replace('KEY', keyId);
  expect(await admin(method, to, body(REVERSED))).toMatchObject(refused(field, /invisible character U\+202E/));
  expect(await admin(method, to, body(HALF))).toMatchObject(refused(field, /half of a character .* U\+D83D/));
});

test('invisible characters are rejected in the names of metadata fields too', async () => {
  const response = await admin('POST', '/v1/keys', { ...newKey, metadata: { a: 1, ['x\u2066']: 'y' } });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

test('invisible characters are rejected in X-Change-Reason too', async () => {
  const reason = Buffer.from(REVERSED).toString('latin1');
  const response = await admin('PATCH', `/v1/keys/${keyId}`, { name: 'Other' }, { 'X-Change-Reason': reason });
  expect(response).toMatchObject(refused('/header/X-Change-Reason', /invisible character U\+202E/));
});

test.each([
  ['POST', '/api/keys', '/name', (text: string) => ({ name: text })],
  ['PATCH', '/api/keys/KEY', '/name', (text: string) => ({ name: text })],
  ['PATCH', '/api/account', '/name', (text: string) => ({ name: text })],
  ['POST', '/api/plan-requests', '/message', (text: string) => ({ plan: 'pro', message: text })],
  ['POST', '/api/webhooks', '/description', (text: string) => ({ ...webhook, description: text })],
  ['POST', '/api/account-requests', '/purpose', (text: string) => ({ ...accountRequest, purpose: text })],
])('the portal rejects invisible and incomplete characters: %s %s, field %s', async (method, path, field, body) => {
  const to = path.replace('KEY', keyId);
  expect(await browser.call(method, to, { json: body(REVERSED) })).toMatchObject(refused(field, /U\+202E/));
  expect(await browser.call(method, to, { json: body(HALF) })).toMatchObject(refused(field, /U\+D83D/));
});

test('the body of a “Try it” call to a service may contain invisible characters', async () => {
  const call = { keyId, method: 'POST', path: '/pets', headers: { 'Content-Type': 'application/json' } };
  const response = await browser.post('/api/try', { ...call, body: '{"name":"רקס\u200f","categoryId":1}' });
  expect(response.body).toMatchObject({ status: 201 });
});

test('text to search for may contain invisible characters', async () => {
  const response = await portal.gateway.admin(`/v1/keys?q=${encodeURIComponent(REVERSED)}`);
  expect([response.status, await response.json()]).toMatchObject([200, { items: [], nextCursor: null }]);
});
