import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NOW, startAdmin, type Admin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { facts } from '../support/history/refusals.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterAll(() => admin.stop());

test('refusals are listed newest first and can be filtered', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  const refusal = { quotaId: 'quota', at: NOW - 30_000, facts: { ...facts } };
  const other = { ...facts, code: 'key_banned', status: 403 };
  await admin.history.keepRefusals([
    { ...refusal, requestId: 'trace-1', keyId: 'key_b' },
    { ...refusal, requestId: 'trace-2', keyId: id, at: NOW - 10_000, facts: other },
    {
      ...refusal,
      requestId: 'trace-3',
      keyId: id,
      at: NOW - 40_000,
      facts: { ...facts, operation: 'GET /shop/orders' },
    },
  ]);
  const lines = (await cli.text('refusals', 'list')).split('\n');
  expect(lines[0]).toMatch(/^TIME \(UTC\) +KEY +OWNER +REQUEST +REFUSED WITH +REQUEST ID$/);
  expect(lines[1]).toMatch(/^2026-06-15 11:59:50 +key_\w+ +acme +GET listPets +403 key_banned +trace-2$/);
  expect(lines[2]).toMatch(/^2026-06-15 11:59:30 +key_b +GET listPets +429 rate_limit_exceeded +trace-1$/);
  // An operation without an operationId is named by its method and path.
  const unnamed = lines.find((line) => line.endsWith('trace-3'));
  expect(unnamed).toMatch(/ acme +GET \/shop\/orders +429 /);
  expect((await cli.json('refusals', 'list', '--owner', 'acme')).items).toMatchObject([
    { keyName: 'a' },
    { keyName: 'a' },
  ]);
  const ofOrders = await cli.json('refusals', 'list', '--operation', 'GET /shop/orders');
  expect(ofOrders.items).toMatchObject([{ requestId: 'trace-3' }]);
  expect(await cli.text('refusals', 'list', '--key', id, '--code', 'quota_exceeded')).toBe('No refusals found.\n');
});
