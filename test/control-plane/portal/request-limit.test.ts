import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRequestLimit } from '../../../src/control-plane/portal/access/caller-limits.ts';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { countStatuses, fromOneAddress, limitsChanges, times } from './request-limit.contract.ts';

/** The limit is low, so that a test can exceed it. `request-limit.slow.test.ts` exceeds the default. */
const CHANGES = 6;

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({
    portalRequestsPerMinute: { requests: 1000, changes: CHANGES, endings: 3 },
    settings: fromOneAddress,
  });
});
afterAll(() => portal.stop());

limitsChanges(CHANGES, () => portal);

const tooMany = expect.objectContaining({ code: 'rate_limit_exceeded', headers: { 'Retry-After': expect.anything() } });
const byAcme = { callerId: 'acc_1', session: 'ses_1', kind: 'read' } as const;

test('requests and changes are limited per session', async () => {
  const limit = createRequestLimit({ requests: 3, changes: 1, endings: 1 });
  const change = { ...byAcme, kind: 'change' } as const;
  await limit(change);
  await expect(limit(change)).rejects.toEqual(tooMany);
  await limit(byAcme);
  await expect(limit(byAcme)).rejects.toEqual(tooMany);
  await limit({ ...byAcme, session: 'ses_2' });
  await limit({ ...change, callerId: 'acc_2', session: 'ses_3' });
});

test('by default, a session can make 6000 requests a minute, and 600 of them may be changes', async () => {
  const limit = createRequestLimit();
  const change = { ...byAcme, kind: 'change' } as const;
  await times(600, () => limit(change));
  await expect(limit(change)).rejects.toEqual(tooMany);
  await times(6000 - 601, () => limit(byAcme));
  await expect(limit(byAcme)).rejects.toEqual(tooMany);
});

// If they shared a limit, someone with a stolen session could keep the owner from ending it.
test('one session of an account cannot block another one from revoking keys and ending sessions', async () => {
  const id = await portal.account('hooli');
  const [owner, thief] = [await portal.signInAs(id), await portal.signInAs(id)];
  const { id: key } = (await owner.post('/api/keys', { name: 'a key' })).body;
  const failing = ['PATCH /api/keys/key_none', 'DELETE /api/sessions/ses_none', 'POST /api/keys/key_none/revoke'];
  const responses = await times(60, (index) => {
    const [method = '', path = ''] = failing[index % 3]!.split(' ');
    return thief.call(method, path, { json: method === 'PATCH' ? { name: 'a' } : {} });
  });
  expect(countStatuses(responses)[429]).toBeGreaterThan(40);

  expect((await owner.post(`/api/keys/${key}/revoke`, {})).status).toBe(200);
  const { items } = (await owner.get('/api/sessions')).body;
  const other = items.find(({ current }: { readonly current: boolean }) => !current);
  expect((await owner.call('DELETE', `/api/sessions/${other.id}`)).status).toBe(204);
  expect((await thief.get('/api/keys')).status).toBe(401);
});

test('an account can run at least 20 reports at a time, and can run another one afterward', async () => {
  const session = await portal.signInAs(await portal.account('initech'));
  const responses = await times(60, () => session.get('/api/usage/history'));
  const { 200: made = 0, 429: refused = 0 } = countStatuses(responses);
  expect(made).toBeGreaterThanOrEqual(20);
  expect(made + refused).toBe(60);
  expect((await session.get('/api/usage/history')).status).toBe(200);
});

test('a key that was rotated too often can still be rotated without a grace period', async () => {
  const id = await portal.account('umbrella');
  const session = await portal.signInAs(id);
  let key = (await session.post('/api/keys', { name: 'a' })).body.id as string;
  const rotate = async (graceSeconds: number) => {
    const response = await session.post(`/api/keys/${key}/rotate`, { graceSeconds });
    if (response.status === 201) key = response.body.id;
    return response;
  };
  expect([(await rotate(3600)).status, (await rotate(3600)).status]).toEqual([201, 201]);
  expectError(await rotate(3600), 409, 'too_many_keys');
  expect((await rotate(0)).status).toBe(201);
});
