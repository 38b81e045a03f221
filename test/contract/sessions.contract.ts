import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_SESSIONS } from '../../src/control-plane/sessions/session-store.ts';
import type { ConsoleSessions, Identity } from '../../src/control-plane/admin/access/console-sessions.ts';

interface SessionsInstance {
  readonly sessions: ConsoleSessions;
  /** The sessions of another gateway that uses the same database. */
  readonly peer: ConsoleSessions;
  dispose(): Promise<void>;
}

const COOKIE = 'tollgate-console';
const NOW = Date.parse('2026-06-15T12:00:00Z');
const alice: Identity = { method: 'token', name: 'alice', tokenHash: 'hash-of-a-token' };
const bob: Identity = { method: 'oidc', name: 'oidc:bob', issuer: 'https://login.example.com', claims: ['a', 'b"'] };

const signIn = (user: Identity, at = NOW) => ({
  user,
  cookie: COOKIE,
  address: '192.0.2.1',
  userAgent: 'X',
  at,
});
const change = { actor: 'alice', reason: null, at: NOW };

export function sessionsContract(name: string, create: () => Promise<SessionsInstance>): void {
  describe(`with ${name},`, () => {
    let instance: SessionsInstance;
    beforeEach(async () => {
      instance = await create();
    });
    afterEach(() => instance.dispose());

    test('a session of the console can be found and ended on every gateway', async () => {
      const { sessions, peer } = instance;
      for (const identity of [alice, bob]) {
        const { session, secret } = await sessions.start(signIn(identity));
        expect(await peer.find(COOKIE, secret, NOW)).toEqual(session);
        expect(session.user).toEqual(identity);
        expect(await peer.end(session.id, 'session.end', change)).toBe(true);
        expect(await sessions.find(COOKIE, secret, NOW)).toBeNull();
        expect(await sessions.end(session.id, 'session.end', change)).toBe(false);
      }
    });

    test('the last use of a session is recorded to the minute', async () => {
      const { sessions } = instance;
      const { secret, session } = await sessions.start(signIn(alice));
      await sessions.find(COOKIE, secret, NOW + 60_000);
      const [listed] = await eventually(
        () => sessions.list(NOW + 60_000),
        ([one]) => one?.seenAt !== NOW,
      );
      expect(listed).toEqual({ ...session, seenAt: NOW + 60_000 });
    });

    test('concurrent sign-ins do not exceed the maximum number of sessions per person', async () => {
      const { sessions, peer } = instance;
      const starts = Array.from({ length: 2 * MAX_SESSIONS }, (_, index) =>
        (index % 2 === 0 ? sessions : peer).start(signIn(alice, NOW + index)),
      );
      await Promise.all([...starts, sessions.start(signIn(bob))]);
      const names = (await sessions.list(NOW)).map(({ user }) => user.name);
      expect(names.filter((one) => one === 'alice')).toHaveLength(MAX_SESSIONS);
      expect(names.filter((one) => one === 'oidc:bob')).toHaveLength(1);
    });

    test('a sign-in link can be used only once, on any gateway', async () => {
      const { sessions, peer } = instance;
      const { token } = await sessions.createLink('alice', 'hash-of-a-token', change);
      const spent = await Promise.all([1, 2, 3, 4].map((n) => (n % 2 === 0 ? sessions : peer).spendLink(token, NOW)));
      expect(spent.filter((identity) => identity !== null)).toEqual([{ ...alice, method: 'link' }]);
      for (const junk of ['', 'once_', `once_${'a'.repeat(43)}`, token]) {
        expect(await sessions.spendLink(junk, NOW)).toBeNull();
      }
    });

    test('expired sessions are deleted at the next sign-in', async () => {
      const { sessions } = instance;
      await sessions.start(signIn(bob));
      const later = NOW + 8 * 3_600_000;
      const { session } = await sessions.start(signIn(alice, later));
      // Bob's session has ended by now. At `NOW`, it would still have been valid.
      expect(await sessions.list(NOW)).toEqual([session]);
    });
  });
}

async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const value = await read();
    if (isDone(value) || tries === 100) return value;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
