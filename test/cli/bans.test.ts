import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('list', () => {
  test('bans are listed with actor and reason, and the table fits the terminal', async () => {
    expect(await cli.text('bans', 'list')).toBe('No bans found.\n');
    expect(await cli.text('bans', 'list', '--status', 'active')).toBe('No active bans.\n');
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: `a\u200b long story ${'.'.repeat(300)}` });
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 3600, reason: 'scraping', message: 'Use the export.' });
    const [header, second, first] = (await cli.run(['bans', 'list'], { columns: 130 })).out.split('\n');
    expect(header).toMatch(/^KEY +STATUS +FROM \(UTC\) +UNTIL \(UTC\) +ACTOR +REASON +MESSAGE$/);
    expect(second).toMatch(
      new RegExp(`^${id}  active    2026-06-15 12:00:00  2026-06-15 13:00:00  ops    scraping +Use the export\\.$`),
    );
    expect(first).toMatch(/ replaced +2026-06-15 12:00:00 +2026-06-15 12:01:00 +ops +a\ufffd long .*…$/);
    expect(first!.length).toBeLessThanOrEqual(130);
    expect(await cli.text('bans', 'list')).toContain(`a\ufffd long story ${'.'.repeat(300)}\n`);

    const json = await cli.json('bans', 'list', '--status', 'active', '--key', id);
    expect(json).toEqual({ items: [expect.objectContaining({ keyId: id, evidence: null })], nextCursor: null });

    const other = (await admin.post('/v1/keys', { name: 'b', owner: 'acme', plan: 'free' })).body.id;
    await admin.put(`/v1/keys/${other}/ban`, { seconds: 60, reason: 'short' });
    const sorted = await cli.json('bans', 'list', '--status', 'active', '--sort', '-until');
    expect(sorted.items).toMatchObject([{ keyId: id }, { keyId: other }]);
    const { err } = await cli.run(['bans', 'list', '--sort', 'until']);
    expect(err).toContain('sorts only active bans by this: add status=active, or sort by from');
  });
});

describe('add', () => {
  test('a key is banned for the given time, with a reason in any language', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    expect(await cli.text('bans', 'add', id, '--seconds', '3600', '--reason', 'Überlast')).toBe(
      `Banned key ${id} until 2026-06-15 13:00:00 UTC.\n`,
    );
    expect((await admin.get('/v1/bans')).body.items).toEqual([
      expect.objectContaining({ keyId: id, reason: 'Überlast' }),
    ]);
    const message = 'Use the export.';
    const told = await cli.json('bans', 'add', id, '--seconds', '60', '--reason', 'b', '--message', message);
    expect(told).toMatchObject({ reason: 'b', message });
    const again = await cli.json('bans', 'add', id, '--seconds', '60', '--reason', 'b');
    expect(again).toMatchObject({ keyId: id, status: 'active', until: '2026-06-15T12:01:00.000Z' });
  });

  test.each([
    [['bans', 'add', 'key_a', '--seconds', '60'], "required option '--reason <text>' not specified"],
    [['bans', 'add', 'key_a', '--reason', 'a'], "required option '--seconds <count>' not specified"],
    [['bans', 'add', 'key_a', '--seconds', '60', '--reason', 'a', '--message', ' '], 'Use 1 to 500 characters'],
    [['bans', 'add', 'key_a', '--reason', 'a', '--seconds', '1.5'], 'Use a whole number of at least 1.'],
  ])('the arguments %j are rejected as a usage error', async (args, message) => {
    const { code, err } = await cli.run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('lift', () => {
  const lift = (id: string) => ['bans', 'lift', id, '--reason', 'they called'];

  test('a ban is lifted, and the output says if the key was not banned', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
    expect(await cli.text(...lift(id), '--message', 'Thank you.')).toBe(`Lifted the ban on key ${id}.\n`);
    expect((await admin.get('/v1/bans')).body.items[0]).toMatchObject({
      status: 'lifted',
      lift: { reason: 'they called', message: 'Thank you.' },
    });
    const audit = (await cli.text('audit', 'list', '--action', 'ban.lift')).split('\n');
    expect(audit).toEqual([
      expect.stringMatching(/ REASON +MESSAGE$/),
      expect.stringMatching(/ they called +Thank you\.$/),
      '',
    ]);
    expect(await cli.text(...lift(id))).toBe(`Key ${id} was not banned. Cleared its strikes.\n`);

    await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
    expect(await cli.json(...lift(id))).toEqual({
      keyId: id,
      lifted: expect.objectContaining({ until: '2026-06-15T12:01:00.000Z', manual: true }),
    });
    expect(await cli.json(...lift(id))).toEqual({ keyId: id, lifted: null });
  });

  test('a reason and an existing key are required', async () => {
    expect((await cli.run(['bans', 'lift', 'key_a'])).code).toBe(2);
    const { code, err } = await cli.run(lift('key_none'));
    expect([code, err]).toEqual([1, expect.stringContaining('There is no key key_none.')]);
  });
});
