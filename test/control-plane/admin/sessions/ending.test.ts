import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { MAX_SESSIONS } from '../../../../src/control-plane/sessions/session-store.ts';
import { ConsoleSessions } from '../../../../src/control-plane/admin/access/console-sessions.ts';
import { expectError, startAdmin, TOKEN, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { createBrowser, signIn } from '../../../support/gateway/browser.ts';

const HOUR_MS = 3_600_000;

let admin: Admin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const audit = async () => (await admin.get('/v1/audit?limit=10')).body.items as Record<string, unknown>[];

describe('a stolen cookie', () => {
  test('does not work after its owner has signed out', async () => {
    const owner = await signIn(admin);
    const thief = createBrowser(admin, owner.cookie);
    expect((await thief.get('/v1/keys')).status).toBe(200);
    const response = await owner.call('DELETE', '/v1/session');
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^tollgate-console=; .*Max-Age=0$/)]);
    const refused = await thief.get('/v1/keys');
    expectError(refused, 401, 'unauthorized');
    expect(refused.body.message).toBe('The session has ended: sign in again.');
    // The response deletes the cookie.
    expect(refused.headers.getSetCookie()).toEqual([expect.stringMatching(/^tollgate-console=; .*Max-Age=0$/)]);
    expectError(await thief.call('POST', '/v1/keys', { json: {} }), 401, 'unauthorized');
  });

  test('does not work after its session was revoked', async () => {
    const [owner, other] = [await signIn(admin), await signIn(admin, VIEWER)];
    const { items } = (await admin.get('/v1/sessions')).body;
    const { id } = items.find(({ name }: { name: string }) => name === 'ops');
    expect((await admin.delete(`/v1/sessions/${id}`)).status).toBe(204);
    expectError(await owner.get('/v1/keys'), 401, 'unauthorized');
    expect((await other.get('/v1/keys')).status).toBe(200);
    expectError(await admin.delete(`/v1/sessions/${id}`), 404, 'session_not_found');
  });
});

describe('a session expires', () => {
  test('after 8 hours without a request', async () => {
    const browser = await signIn(admin);
    admin.time.now += 8 * HOUR_MS - 1;
    expect((await browser.get('/v1/keys')).status).toBe(200);
    admin.time.now += 8 * HOUR_MS - 1;
    expect((await browser.get('/v1/keys')).status).toBe(200);
    admin.time.now += 8 * HOUR_MS;
    expectError(await browser.get('/v1/keys'), 401, 'unauthorized');
    expect((await admin.get('/v1/sessions')).body.items).toEqual([]);
  });

  test('after 7 days, even if it is in use', async () => {
    const browser = await signIn(admin);
    for (let hour = 7; hour < 7 * 24; hour += 7) {
      admin.time.now += 7 * HOUR_MS;
      expect((await browser.get('/v1/keys')).status).toBe(200);
    }
    admin.time.now += 7 * HOUR_MS;
    expectError(await browser.get('/v1/keys'), 401, 'unauthorized');
  });
});

test('the last use of a session is recorded once a minute, not for each request', async () => {
  const browser = await signIn(admin);
  const seenAt = async () => (await browser.get('/v1/session')).body.session.lastSeenAt;
  const before = await seenAt();
  admin.time.now += 59_999;
  await seenAt();
  expect(await seenAt()).toBe(before);
  admin.time.now += 1;
  await seenAt();
  expect(Date.parse(await seenAt())).toBe(admin.time.now);
});

describe('a change of the configuration applies immediately', () => {
  /** Reads a session from an admin API that has the same database and other tokens. */
  async function sessionWith(tokens: NonNullable<Parameters<typeof startAdmin>[0]>['tokens'], cookie: string) {
    const later = await startAdmin({ tokens: tokens!, sessions: openSessions(admin) });
    const response = await createBrowser(later, cookie).get('/v1/session');
    await later.stop();
    return response;
  }

  test('and ends the sessions of a token that was removed or replaced', async () => {
    const { cookie } = await signIn(admin);
    const ops = { name: 'ops', role: 'admin', secret: TOKEN } as const;
    expect((await sessionWith([ops], cookie)).status).toBe(200);
    expectError(await sessionWith([], cookie), 401, 'unauthorized');
    expectError(await sessionWith([{ ...ops, secret: 'another' }], cookie), 401, 'unauthorized');
    expectError(await sessionWith([{ ...ops, name: 'other' }], cookie), 401, 'unauthorized');
  });

  test('and gives a session the current role of its token', async () => {
    const { cookie } = await signIn(admin);
    const { body } = await sessionWith([{ name: 'ops', role: 'viewer', secret: TOKEN }], cookie);
    expect(body).toMatchObject({ role: 'viewer', session: { role: 'viewer' } });
  });
});

function openSessions({ database }: Admin): ConsoleSessions {
  return new ConsoleSessions(database, pino({ level: 'silent' }));
}

test('above the maximum of sessions per name, a new session replaces the least recently used one', async () => {
  const first = await signIn(admin);
  const second = await signIn(admin);
  admin.time.now += 60_000;
  await first.get('/v1/session');
  await first.get('/v1/session');
  for (let count = 2; count <= MAX_SESSIONS; count++) await signIn(admin);
  expect((await first.get('/v1/session')).status).toBe(200);
  expectError(await second.get('/v1/session'), 401, 'unauthorized');
  const { items, nextCursor } = (await admin.get('/v1/sessions?limit=15')).body;
  expect(items).toHaveLength(15);
  const rest = (await admin.get(`/v1/sessions?limit=15&cursor=${nextCursor}`)).body;
  expect(rest.items).toHaveLength(MAX_SESSIONS - 15);
  expect(rest.nextCursor).toBeNull();
});

test('sign-ins, sign-outs and ended sessions are in the audit log with their actor', async () => {
  const browser = await signIn(admin);
  const { id } = (await browser.get('/v1/session')).body.session;
  await browser.call('DELETE', '/v1/session');
  const other = await signIn(admin, VIEWER);
  const { id: otherId } = (await other.get('/v1/session')).body.session;
  await admin.call('DELETE', `/v1/sessions/${otherId}`, { headers: { 'X-Change-Reason': 'left the team' } });
  const [revoked, started, ended, first] = await audit();
  expect(first).toMatchObject({ actor: 'ops', action: 'session.start', subject: id, after: { method: 'token' } });
  expect(ended).toMatchObject({ actor: 'ops', action: 'session.end', subject: id });
  expect(started).toMatchObject({ actor: 'board', action: 'session.start', subject: otherId });
  expect(revoked).toMatchObject({
    actor: 'ops',
    action: 'session.revoke',
    subject: otherId,
    reason: 'left the team',
    before: { name: 'board', method: 'token' },
  });
});

test('the database does not contain session secrets', async () => {
  const { cookie } = await signIn(admin);
  const [, secret = ''] = cookie.split('=');
  const rows = await admin.database.read((queries) => queries.selectFrom('sessions').selectAll().execute());
  const text = JSON.stringify(rows);
  expect(text).toContain(createHash('sha256').update(cookie).digest('base64url'));
  expect(text).not.toContain(secret);
  expect(text).not.toContain(TOKEN);
});
