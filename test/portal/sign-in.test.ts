import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPortal, type Portal } from '../support/gateway/portal.ts';
import { expectError } from '../support/gateway/admin.ts';

let portal: Portal;
const time = { now: Date.parse('2026-06-15T12:00:00Z') };
beforeAll(async () => {
  portal = await startPortal({ clock: () => time.now });
});
afterAll(() => portal.stop());
/** Failed attempts are counted for a minute of the real clock, by address. */
let address = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${++address}` });

test('a link says whose it is without being spent, signs in once, and sets a cookie for this listener', async () => {
  const id = await portal.account('acme', { name: 'Acme' });
  const token = await portal.link(id);
  const browser = portal.browser();
  expect((await browser.post('/api/session/preview', { token })).body).toEqual({ name: 'Acme' });
  expect((await browser.post('/api/session/preview', { token })).status).toBe(200);
  const signedIn = await browser.post('/api/session', { token });
  expect(signedIn.status).toBe(201);
  expect(signedIn.headers.get('set-cookie')).toMatch(
    /^tollgate-portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
  );
  expect(signedIn.body).toMatchObject({ account: { id, owner: 'acme', plan: 'free' }, key: null });
  expect((await browser.get('/api/session')).body.session).toMatchObject({ method: 'link', current: true });
  expectError(await portal.browser().post('/api/session', { token }), 401, 'link_invalid');
  expectError(await portal.browser().post('/api/session/preview', { token }), 401, 'link_invalid');
});

test('of many who open the same link at once, one is signed in', async () => {
  const token = await portal.link(await portal.account('once'));
  const answers = await Promise.all(Array.from({ length: 5 }, () => portal.browser().post('/api/session', { token })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401]);
});
