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

test('bans are listed with who and why; at a terminal, a long reason is cut', async () => {
  expect(await cli.text('bans', 'list')).toBe('No bans.\n');
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: `a\u200b long story ${'.'.repeat(300)}` });
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 3600, reason: 'scraping' });
  const [header, second, first] = (await cli.run(['bans', 'list'], { columns: 100 })).out.split('\n');
  expect(header).toMatch(/^KEY +STATUS +FROM \(UTC\) +UNTIL \(UTC\) +BY +WHY$/);
  expect(second).toBe(`${id}  active    2026-06-15 12:00:00  2026-06-15 13:00:00  ops  scraping`);
  expect(first).toMatch(/ replaced +2026-06-15 12:00:00 +2026-06-15 12:01:00 +ops +a\ufffd long story \.+…$/);
  expect(first).toHaveLength(100);
  expect(await cli.text('bans', 'list')).toContain(`a\ufffd long story ${'.'.repeat(300)}\n`);

  const json = await cli.json('bans', 'list', '--status', 'active', '--key', id);
  expect(json).toEqual({ items: [expect.objectContaining({ keyId: id, evidence: null })], nextCursor: null });
});
