import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
const ids: string[] = [];

beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
  const keys = Array.from({ length: 130 }, (_, index) => ({ name: `key ${index}`, owner: 'bulk', plan: 'free' }));
  const own = { name: 'n'.repeat(128), owner: 'o'.repeat(128), plan: 'pro', expiresAt: '2026-07-01T00:00:00Z' };
  const { items } = (await admin.post('/v1/keys/import', { keys: [...keys, own] })).body;
  ids.push(...items.map(({ id }: { id: string }) => id).toReversed());
});
afterAll(() => admin.stop());

test('people get a table as wide as their terminal with whole ids, newest first, and are told of more', async () => {
  const { code, out, err } = await cli.run(['keys', 'list'], { columns: 100 });
  const lines = out.trimEnd().split('\n');
  expect([code, lines.length, err]).toEqual([0, 101, 'There are more: see --limit and --all.\n']);
  expect(lines[0]).toMatch(/^ID +OWNER +NAME +PLAN +STATUS +EXPIRES +LAST USED$/);
  expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(ids.slice(0, 100));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines[1]).toMatch(/^key_\w{20} {2}o+… +n+… +pro +active +2026-07-01 +never$/);
});

test('a key that ended shows as expired', async () => {
  const { out } = await cli.run(['keys', 'list', '--plan', 'pro'], { now: Date.parse('2026-07-01T00:00:00Z') });
  expect(out.split('\n')[1]).toMatch(/ pro +expired +2026-07-01 /);
});

test('programs get all that was asked for in one document', async () => {
  const all = await cli.json('keys', 'list', '--all');
  expect(all.items.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(all.nextCursor).toBeNull();
  const some = await cli.json('keys', 'list', '--limit', '110');
  const rest = await cli.json('keys', 'list', '--cursor', some.nextCursor);
  expect([...some.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
});

test('it is narrowed by owner, plan and status', async () => {
  expect((await cli.json('keys', 'list', '--plan', 'pro')).items).toHaveLength(1);
  expect((await cli.json('keys', 'list', '--owner', 'bulk', '--all')).items).toHaveLength(130);
  expect(await cli.text('keys', 'list', '--status', 'revoked')).toBe('No keys.\n');
  const { code, err } = await cli.run(['keys', 'list', '--status', 'over']);
  expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are active, disabled, revoked.')]);
});

test('--search finds a part of the name; two characters are too few', async () => {
  const { items } = await cli.json('keys', 'list', '--search', 'KEY 77');
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['key 77']);
  const { code, err } = await cli.run(['keys', 'list', '--search', 'ab']);
  expect([code, err]).toEqual([2, expect.stringContaining('at least 3 characters')]);
});
