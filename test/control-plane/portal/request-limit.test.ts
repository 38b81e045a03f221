import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRequestLimit } from '../../../src/control-plane/portal/access/request-limit.ts';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { countStatuses, fromOneAddress, limitsChanges, times } from './request-limit.contract.ts';

/** Few, so that a test can exceed them. `request-limit.slow.test.ts` exceeds the defaults. */
const CHANGES = 6;

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({
    portalRequestsPerMinute: { requests: 1000, changes: CHANGES },
    settings: fromOneAddress,
  });
});
afterAll(() => portal.stop());

limitsChanges(CHANGES, () => portal);

test('requests are limited too, including changes', async () => {
  const limit = createRequestLimit({ requests: 3, changes: 1 });
  const tooMany = expect.objectContaining({
    code: 'rate_limit_exceeded',
    headers: { 'Retry-After': expect.anything() },
  });
  await limit('acc_1', true);
  await expect(limit('acc_1', true)).rejects.toEqual(tooMany);
  await limit('acc_1', false);
  await expect(limit('acc_1', false)).rejects.toEqual(tooMany);
  await limit('acc_2', true);
});

test('by default, an account can make 6000 requests a minute, and 600 of them may be changes', async () => {
  const limit = createRequestLimit();
  const tooMany = expect.objectContaining({ code: 'rate_limit_exceeded' });
  await times(600, () => limit('acc_1', true));
  await expect(limit('acc_1', true)).rejects.toEqual(tooMany);
  await times(6000 - 601, () => limit('acc_1', false));
  await expect(limit('acc_1', false)).rejects.toEqual(tooMany);
});

test('a caller can run 20 reports at a time, which leaves room for others', async () => {
  const session = await portal.signInAs(await portal.account('initech'));
  const answers = await times(60, () => session.get('/api/usage/history'));
  const { 200: made = 0, 429: refused = 0 } = countStatuses(answers);
  expect(made).toBeGreaterThanOrEqual(20);
  expect(made + refused).toBe(60);
  expect((await session.get('/api/usage/history')).status).toBe(200);
});

test('a key that was rotated too often can still be rotated without a grace period', async () => {
  const id = await portal.account('umbrella');
  const session = await portal.signInAs(id);
  let key = (await session.post('/api/keys', { name: 'a' })).body.id as string;
  const rotate = async (graceSeconds: number) => {
    const answer = await session.post(`/api/keys/${key}/rotate`, { graceSeconds });
    if (answer.status === 201) key = answer.body.id;
    return answer;
  };
  expect([(await rotate(3600)).status, (await rotate(3600)).status]).toEqual([201, 201]);
  expectError(await rotate(3600), 409, 'too_many_keys');
  expect((await rotate(0)).status).toBe(201);
});
