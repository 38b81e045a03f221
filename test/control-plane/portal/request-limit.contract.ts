import { expect, test } from '@jest/globals';
import { expectError } from '../../support/gateway/admin.ts';
import type { Portal } from '../../support/gateway/portal.ts';

/** The settings of a portal that gets all concurrent calls from one address. */
export const fromOneAddress = { portal: { maxConnectionsPerAddress: 2000 } };

/**
 * Declares the test that an account can make only a limited number of changes a minute. The audit log stores every
 * change permanently.
 *
 * @param changes the number of changes that an account can make in a minute
 */
export function limitsChanges(changes: number, portalUnderTest: () => Portal): void {
  test(`an account can make ${changes} changes a minute over all sessions, and can still read`, async () => {
    const portal = portalUnderTest();
    const id = await portal.account('acme');
    const sessions = [await portal.signInAs(id), await portal.signInAs(id)] as const;
    const change = (index: number) => sessions[index % 2]!.call('PATCH', '/api/keys/key_none', { json: { name: 'a' } });
    expect(countStatuses(await times(changes, change))).toEqual({ 404: changes });
    for (const session of sessions) {
      const refused = await session.post('/api/keys', { name: 'one more' });
      expectError(refused, 429, 'rate_limit_exceeded');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await session.get('/api/keys')).status).toBe(200);
    }
    const neighbour = await portal.signInAs(await portal.account('globex'));
    expect((await neighbour.post('/api/keys', { name: 'a key' })).status).toBe(201);
  });

  test(`a key can sign in ${changes} times a minute, and further attempts do not block others at the address`, async () => {
    const portal = portalUnderTest();
    const { key } = await portal.admin('POST', '/v1/keys', { name: 'Shop', owner: 'shop', plan: 'free' });
    const signIn = () => portal.browser().post('/api/session', { key });
    expect(countStatuses(await times(changes, signIn))).toEqual({ 201: changes });
    for (const response of await times(20, signIn)) expectError(response, 429, 'rate_limit_exceeded');
    const next = await portal.admin('POST', '/v1/keys', { name: 'Other', owner: 'other', plan: 'free' });
    expect((await portal.browser().post('/api/session', { key: next.key })).status).toBe(201);
  });
}

export const countStatuses = (responses: readonly { readonly status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  );

export const times = <T>(count: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));
