import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, startAdmin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
let id: string;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
  expect(await cli.text('events', 'list')).toBe('No events.\n');
  ({ id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body);
  admin.time.now += 1000;
  await admin.delete(`/v1/keys/${id}`);
});
afterAll(() => admin.stop());

test('what happened is listed, newest first', async () => {
  const [head, ...lines] = (await cli.run(['events', 'list'], { columns: 100 })).out.trimEnd().split('\n');
  expect(head).toMatch(/^WHEN \(UTC\) +TYPE +SUBJECT +OWNER +FROM +WHAT$/);
  expect(lines).toEqual([
    expect.stringMatching(`^2026-06-15 12:00:01  key.revoked  ${id}  acme   gateway  name a, plan free, pref…$`),
    expect.stringMatching(`^2026-06-15 12:00:00  key.created  ${id}  acme   gateway  name a, plan free, pref…$`),
  ]);
});

test('it is narrowed by type, subject and time, and cut where it is long', async () => {
  const types = async (...args: string[]) =>
    (await cli.json('events', 'list', ...args)).items.map(({ type }: { type: string }) => type);
  expect(await types('--type', 'key.created')).toEqual(['key.created']);
  expect(await types('--subject', id)).toEqual(['key.revoked', 'key.created']);
  expect(await types('--from', '2026-06-15T12:00:01Z')).toEqual(['key.revoked']);
  expect(await types('--to', '2026-06-15T12:00:01Z')).toEqual(['key.created']);
  const { code, out, err } = await cli.run(['events', 'list', '--limit', '1']);
  expect([code, out.split('\n').length, err]).toEqual([0, 3, 'There are more: see --limit and --all.\n']);
});
