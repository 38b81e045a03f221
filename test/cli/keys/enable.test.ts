import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('a disabled key is put back into service', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  await admin.patch(`/v1/keys/${id}`, { status: 'disabled' });
  expect(await cli.text('keys', 'enable', id)).toBe(`Key ${id} of acme is active.\n`);
  const expiresAt = '2026-01-02T03:04:05Z';
  await admin.patch(`/v1/keys/${id}`, { expiresAt });
  expect(await cli.text('keys', 'enable', id)).toBe(
    `Key ${id} of acme is active, but it expired at 2026-01-02 03:04:05 UTC.\n`,
  );
  expect(await cli.json('keys', 'enable', id)).toMatchObject({ id, status: 'active' });
});
