import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../src/domain/key-format.ts';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('create', () => {
  const shop = ['keys', 'create', '--owner', 'acme', '--name', 'Shop backend', '--plan', 'free'];
  const SECRET = /tg_live_\w{38}/g;

  test('a key is created and its secret is shown', async () => {
    const out = await cli.text(...shop, '--reason', 'new customer');
    const [secret = '', ...others] = out.match(SECRET) ?? [];
    expect(others).toEqual([]);
    const { keyId = '' } = (await admin.registry.findCredential(hashSecret(secret))) ?? {};
    expect(await admin.registry.getKey(keyId)).toMatchObject({ name: 'Shop backend', owner: 'acme', plan: 'free' });
    expect(out).toBe(
      `Created key ${keyId} for acme (plan free).\n\n  ${secret}\n\nThe secret is shown only once. Store it now.\n`,
    );
    const { items } = (await admin.get(`/v1/audit?subject=${keyId}`)).body;
    expect(items).toEqual([expect.objectContaining({ action: 'key.create', reason: 'new customer' })]);
  });

  test('--json prints one document, which has the secret in the field key', async () => {
    const made = await cli.json(...shop);
    expect(await admin.registry.findCredential(hashSecret(made.key))).toMatchObject({ keyId: made.id });
  });

  test('a key on a custom plan can be created with limits and an expiry', async () => {
    const args = ['--plan', 'enterprise', '--minute', '5', '--day', '10', '--expires-at', '2030-01-01T00:00:00+01:00'];
    const made = await cli.json('keys', 'create', '--owner', 'acme', '--name', 'a', ...args);
    expect(made).toMatchObject({ limits: { minute: 5, day: 10 }, expiresAt: '2029-12-31T23:00:00.000Z' });
  });

  test.each([
    [
      ['keys', 'create', '--owner', 'acme', '--plan', 'free'],
      "tollgate: required option '--name <name>' not specified",
    ],
    [[...shop, '--minute', '5'], 'tollgate: --minute and --day must be given together'],
    [[...shop, '--minute', 'five', '--day', '9'], 'Use a whole number of at least 1.'],
    [[...shop, '--minute', '0', '--day', '9'], 'Use a whole number of at least 1.'],
    [[...shop, '--expires-at', 'tomorrow'], 'Use a date and time with an offset'],
    [[...shop, '--reason', ' '], 'Use 1 to 500 characters, on one line.'],
    [[...shop, '--reason', 'two\nlines'], 'Use 1 to 500 characters, on one line.'],
    [[...shop, '--reason', 'a\u202eb'], 'The reason must not contain the invisible character U+202E'],
    [[...shop, '--token', 'x'], 'tollgate: --token requires --caller'],
    [[...shop, '--caller', 'x'], 'tollgate: --caller and --claim require --token'],
    [[...shop, '--secret', 'x'], "tollgate: unknown option '--secret'"],
    [[...shop, 'more'], 'tollgate: too many arguments'],
  ])('%j is an invalid command line', async (args, message) => {
    const { code, out, err } = await cli.run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('errors from the gateway name the options of the command', async () => {
    const { code, out, err } = await cli.run(['keys', 'create', '--owner', 'ä', '--name', ' ', '--plan', 'gold']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(
      'tollgate: the gateway rejected the request:\n' +
        '  --name must be text without control characters, and not blank\n' +
        '  --owner must be printable ASCII without leading or trailing spaces\n',
    );
    const unknown = await cli.run(['keys', 'create', '--owner', 'a', '--name', 'a', '--plan', 'gold']);
    expect(unknown.err).toContain('--plan must be the id of a plan: there is no plan gold');
  });
});

describe('list', () => {
  let ids: string[];

  beforeEach(async () => {
    const keys = Array.from({ length: 130 }, (_, index) => ({ name: `key ${index}`, owner: 'bulk', plan: 'free' }));
    const own = { name: 'n'.repeat(128), owner: 'o'.repeat(128), plan: 'pro', expiresAt: '2026-07-01T00:00:00Z' };
    const { items } = (await admin.post('/v1/keys/import', { keys: [...keys, own] })).body;
    ids = items.map(({ id }: { id: string }) => id).toReversed();
  });

  test('the table fits the terminal, shows full ids and the newest keys first, and ends with a hint if there are more', async () => {
    const { code, out, err } = await cli.run(['keys', 'list'], { columns: 100 });
    const lines = out.trimEnd().split('\n');
    expect([code, lines.length, err]).toEqual([0, 101, 'There are more items. Use --all to see all of them.\n']);
    expect(lines[0]).toMatch(/^ID +OWNER +NAME +PLAN +STATUS +EXPIRES +LAST USED$/);
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(ids.slice(0, 100));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines[1]).toMatch(/^key_\w{20} {2}o+… +n+… +pro +active +2026-07-01 +never$/);
  });

  test('an expired key has the status expired', async () => {
    const { out } = await cli.run(['keys', 'list', '--plan', 'pro'], { now: Date.parse('2026-07-01T00:00:00Z') });
    expect(out.split('\n')[1]).toMatch(/ pro +expired +2026-07-01 /);
  });

  test('--status active leaves out expired keys, and --status expired lists only expired keys', async () => {
    const now = Date.parse('2026-07-01T00:00:00Z');
    admin.time.now = now;
    const owners = async (status: string) => {
      const { out } = await cli.run(['keys', 'list', '--status', status, '--all', '--json'], { now });
      return JSON.parse(out).items.map(({ owner }: { owner: string }) => owner);
    };
    expect(await owners('active')).toEqual(Array<string>(130).fill('bulk'));
    expect(await owners('expired')).toEqual(['o'.repeat(128)]);
  });

  test('--json prints all requested items in one document', async () => {
    const all = await cli.json('keys', 'list', '--all');
    expect(all.items.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.nextCursor).toBeNull();
    const some = await cli.json('keys', 'list', '--limit', '110');
    const rest = await cli.json('keys', 'list', '--cursor', some.nextCursor);
    expect([...some.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('keys can be filtered by owner, plan and status', async () => {
    expect((await cli.json('keys', 'list', '--plan', 'pro')).items).toHaveLength(1);
    expect((await cli.json('keys', 'list', '--owner', 'bulk', '--all')).items).toHaveLength(130);
    expect(await cli.text('keys', 'list', '--status', 'revoked')).toBe('No keys found.\n');
    const { code, err } = await cli.run(['keys', 'list', '--status', 'over']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('Allowed choices are active, expired, rotating, banned, disabled, revoked.'),
    ]);
  });

  test('keys can be filtered by ban, rotation and upcoming expiry, and sorted', async () => {
    const own = (text: string) => cli.json('keys', 'list', '--owner', 'states', ...text.split(' '));
    const names = async (text: string) => (await own(text)).items.map(({ name }: { name: string }) => name);
    const created: Record<string, string> = {};
    for (const [name, days] of [
      ['late', 20],
      ['soon', 3],
      ['never', null],
    ] as const) {
      const expiresAt = days === null ? null : new Date(admin.time.now + days * 86_400_000).toISOString();
      const { body } = await admin.post('/v1/keys', { name, owner: 'states', plan: 'pro', expiresAt });
      created[name] = body.id;
    }
    await cli.run(['bans', 'add', created['late']!, '--seconds', '60', '--reason', 'test']);
    expect(await names('--status banned')).toEqual(['late']);
    expect(await names('--expires-within 14d')).toEqual(['soon']);
    expect(await names('--sort name')).toEqual(['late', 'never', 'soon']);
    expect(await names('--sort -expiresAt')).toEqual(['never', 'late', 'soon']);
    await cli.run(['keys', 'rotate', created['never']!]);
    expect(await names('--status rotating')).toEqual(['never']);
    const { code, err } = await cli.run(['keys', 'list', '--sort', 'secret']);
    expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are createdAt, -createdAt, name')]);
  });

  test('--unused-for lists keys that have not been used for that long', async () => {
    expect(await cli.text('keys', 'list', '--unused-for', '30d')).toBe('No keys found.\n');
    admin.time.now += 31 * 86_400_000;
    expect((await cli.json('keys', 'list', '--unused-for', '30d', '--owner', 'bulk', '--all')).items).toHaveLength(130);
    admin.time.now -= 31 * 86_400_000;
    const { code, err } = await cli.run(['keys', 'list', '--unused-for', 'a month']);
    expect([code, err]).toEqual([2, expect.stringContaining('such as 90d')]);
    const wrong = await admin.get('/v1/keys?unusedFor=0d');
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, '/query/unusedFor']);
  });

  test('--search finds part of a name, of at least three characters', async () => {
    const { items } = await cli.json('keys', 'list', '--search', 'KEY 77');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['key 77']);
    const { code, err } = await cli.run(['keys', 'list', '--search', 'ab']);
    expect([code, err]).toEqual([2, expect.stringContaining('at least 3 characters')]);
  });
});

describe('show', () => {
  test('all fields of a key are shown, except its secret', async () => {
    const limits = { minute: 5, day: 50 };
    const metadata = { ticket: 'T-1' };
    const given = { name: 'a\u200bb', owner: 'acme', plan: 'enterprise', limits, metadata };
    const { key, ...made } = (await admin.post('/v1/keys', given)).body;
    const out = await cli.text('keys', 'show', made.id);
    expect(out.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      `id: ${made.id}`,
      // Invisible characters are replaced by a mark.
      'name: a\ufffdb',
      'owner: acme',
      'plan: enterprise',
      'limits: 5 a minute, 50 a day',
      'status: active',
      `secret: ${made.prefix}…${made.lastFour}`,
      'created: 2026-06-15 12:00:00 UTC',
      'expires: never',
      'last used: never',
      `quota: ${made.id}`,
      'replaced by: none',
      'ticket: T-1',
      '',
    ]);
    expect(out).not.toContain(key);
    expect(await cli.json('keys', 'show', made.id)).toEqual({ ...made, account: null });
  });

  test('the error about an unknown id names the command that lists the ids', async () => {
    const { code, out, err } = await cli.run(['keys', 'show', 'key_none']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('tollgate: There is no key key_none.\n  Run "tollgate keys list" to see the ids.\n');
  });

  // If a secret is typed instead of an id, it must not be sent in a path, because paths are logged. The user must be
  // told that the secret is now in the shell's history.
  test.each(
    [
      'keys show',
      'keys rotate',
      'keys revoke',
      'usage',
      'bans lift --reason x',
      'bans list --key',
      'audit list --subject',
      'keys',
      'keys show key_a',
      '',
    ].map((words) => [words]),
  )('a secret typed after "%s" is neither sent nor shown, and the error says what to do', async (words) => {
    const secret = `tg_live_${'aB3'.repeat(12)}zz`;
    const before = admin.logs.length;
    const { code, out, err } = await cli.run([...words.split(' ').filter(Boolean), secret]);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toContain(secret.slice(0, 20));
    // An extra argument and an unknown command are redacted, too.
    if (!['keys', 'keys show key_a', ''].includes(words))
      expect(err).toMatch(/is the secret of a key, .*\n.* history of your shell/);
    expect(admin.logs).toHaveLength(before);
  });

  test.each([
    ['..', 2],
    ['', 2],
    ['../plans', 1],
    ['%2e%2e', 1],
    ['a b?c#d', 1],
  ])('the id %j leads to no other path of the API', async (id, expected) => {
    const { code, out } = await cli.run(['keys', 'show', id]);
    expect([code, out]).toEqual([expected, '']);
  });
});

describe('update', () => {
  test('only the given fields of a key change, and the result is shown', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const text = await cli.text('keys', 'update', id, '--plan', 'pro', '--expires-at', '2027-12-31T00:00:00Z');
    expect(text).toMatch(/^plan +pro$/m);
    expect(text).toMatch(/^expires +2027-12-31 00:00:00 UTC$/m);
    const named = await cli.json('keys', 'update', id, '--name', 'b', '--expires-at', 'never', '--reason', 'paid');
    expect(named).toMatchObject({ id, name: 'b', plan: 'pro', expiresAt: null });
    const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
    expect(entry).toMatchObject({ action: 'key.update', reason: 'paid' });
    const limits = ['--plan', 'enterprise', '--minute', '5000', '--day', '2000000'];
    expect(await cli.json('keys', 'update', id, ...limits)).toMatchObject({ limits: { minute: 5000, day: 2_000_000 } });
  });

  test('a key can be restricted to operations and addresses, and the restrictions removed', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const addresses = ['--addresses', '198.51.100.0/24, 2001:db8::1'];
    expect((await cli.json('keys', 'update', id, ...addresses)).addresses).toEqual(['198.51.100.0/24', '2001:db8::1']);
    expect(await cli.text('keys', 'show', id)).toMatch(/^addresses +198\.51\.100\.0\/24, 2001:db8::1$/m);
    expect((await cli.json('keys', 'update', id, '--addresses', 'all')).addresses).toBeNull();
    const unknown = await cli.run(['keys', 'update', id, '--operations', 'getNothing']);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('--operations')]);
  });

  test('a key can have a limit of concurrent requests, which can be removed', async () => {
    const given = ['--owner', 'acme', '--name', 'a', '--plan', 'free', '--concurrent', '5'];
    const { id } = await cli.json('keys', 'create', ...given);
    expect(await cli.text('keys', 'show', id)).toMatch(/^at once +5$/m);
    expect(await cli.json('keys', 'update', id, '--concurrent', '7')).toMatchObject({ concurrent: 7 });
    expect(await cli.json('keys', 'update', id, '--concurrent', 'none')).toMatchObject({ concurrent: null });
    const wrong = await cli.run(['keys', 'update', id, '--concurrent', '0']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--concurrent')]);
  });

  test('a key can be exempt from the checks of requests', async () => {
    const given = ['--owner', 'acme', '--name', 'a', '--plan', 'free'];
    const { id, validation } = await cli.json('keys', 'create', ...given, '--validation', 'report');
    expect(validation).toBe('report');
    expect(await cli.text('keys', 'show', id)).toMatch(/^validation +report$/m);
    expect(await cli.json('keys', 'update', id, '--validation', 'none')).toMatchObject({ validation: null });
    const wrong = await cli.run(['keys', 'create', ...given, '--validation', 'enforce']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--validation')]);
  });

  test('each limit of a key can be changed alone', async () => {
    const limits = { minute: 5, day: 50 };
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'enterprise', limits })).body;
    expect(await cli.json('keys', 'update', id, '--minute', '7')).toMatchObject({ limits: { minute: 7, day: 50 } });
    expect(await cli.json('keys', 'update', id, '--day', '70')).toMatchObject({ limits: { minute: 7, day: 70 } });
    const monthly = await cli.json('keys', 'update', id, '--month', '700');
    expect(monthly.limits).toEqual({ minute: 7, day: 70, month: 700 });
    expect(await cli.text('keys', 'update', id, '--minute', '8')).toMatch(
      /^limits +8 a minute, 70 a day, 700 a month$/m,
    );
    expect((await cli.json('keys', 'update', id, '--month', 'none')).limits).toEqual({ minute: 8, day: 70 });
    const other = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const { code, err } = await cli.run(['keys', 'update', other.id, '--minute', '7']);
    expect([code, err]).toEqual([2, 'tollgate: --minute and --day must be given together\n']);
  });

  test.each([
    [[], 'nothing to update: give at least one of --name'],
    [['--expires-at', 'soon'], 'such as 2027-12-31T00:00:00Z'],
  ])('the options %j are rejected as a usage error', async (options, message) => {
    const { code, err } = await cli.run(['keys', 'update', 'key_a', ...options]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('rotate', () => {
  const create = async () => (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;

  test('the output has the new secret and the time when the old one expires', async () => {
    const { id } = await create();
    const out = await cli.text('keys', 'rotate', id);
    const [secret = ''] = /tg_live_\w{38}/.exec(out) ?? [];
    const next = await admin.registry.findCredential(hashSecret(secret));
    expect(out).toBe(
      `Created key ${next?.keyId} to replace ${id}.\n\n  ${secret}\n\nThe secret is shown only once. Store it now.\n` +
        'The old key works until 2026-06-16 12:00:00 UTC.\n',
    );
  });

  test('a grace period of 0 ends the old key immediately', async () => {
    const { id } = await create();
    expect(await cli.text('keys', 'rotate', id, '--grace-seconds', '0', '--reason', 'leak')).toMatch(
      /\nThe old key no longer works\.\n$/,
    );
    expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0]).toMatchObject({ reason: 'leak' });
  });

  test('with --grace-until quiet, "keys show" says who still uses the old secret, for both keys', async () => {
    const { id, prefix, lastFour } = await create();
    const out = await cli.text('keys', 'rotate', id, '--grace-until', 'quiet');
    expect(
      out.endsWith(
        'The old key works until it is no longer used, but no later than 2026-07-15 12:00:00 UTC.\n' +
          `To see who still uses it, run "tollgate keys show ${id}".\n`,
      ),
    ).toBe(true);
    const next = (await admin.get(`/v1/keys/${id}`)).body.rotatedTo;
    await admin.registry.touchKeys(new Map([[id, Date.UTC(2026, 5, 15, 11, 59)]]), new Map([[id, '2001:db8:1::/48']]));
    const use = '2026-06-15 11:59:00 UTC from 2001:db8:1::/48, 0 calls in the last 24 hours';
    const shown = await cli.text('keys', 'show', id);
    expect(shown).toMatch(/expires +once it is no longer used, no later than 2026-07-15 12:00:00 UTC\n/);
    expect(shown).toContain(use);
    expect(await cli.text('keys', 'show', next)).toContain(
      `${id} (${prefix}…${lastFour}), last used ${use}, ends no later than 2026-07-15 12:00:00 UTC`,
    );
    const both = await cli.run(['keys', 'rotate', next, '--grace-until', 'quiet', '--grace-seconds', '5']);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('cannot be used with')]);
    expect((await cli.run(['keys', 'rotate', next, '--grace-until', 'tomorrow'])).code).toBe(2);
  });

  test('--json prints the new key with its secret, and rotating the old key again names its successor', async () => {
    const { id } = await create();
    const next = await cli.json('keys', 'rotate', id, '--grace-seconds', '60');
    expect(await admin.registry.findCredential(hashSecret(next.key))).toMatchObject({
      keyId: next.id,
      quotaId: id,
    });
    const { code, err } = await cli.run(['keys', 'rotate', id]);
    expect(code).toBe(1);
    expect(err).toBe(`tollgate: Key ${id} was already rotated: rotate its successor ${next.id}.\n`);
    expect((await cli.run(['keys', 'rotate', id, '--grace-seconds', '-1'])).code).toBe(2);
  });
});

describe('revoke', () => {
  test('a key is revoked permanently, with the reason, and revoking it again changes nothing', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    expect(await cli.text('keys', 'revoke', id, '--reason', 'left us')).toBe(`Revoked key ${id} (acme).\n`);
    expect(await cli.json('keys', 'revoke', id)).toMatchObject({ id, status: 'revoked' });
    const { items } = (await admin.get(`/v1/audit?subject=${id}&action=key.revoke`)).body;
    expect(items).toEqual([expect.objectContaining({ reason: 'left us' })]);

    const { code, err } = await cli.run(['keys', 'enable', id]);
    expect([code, err]).toEqual([1, expect.stringContaining(`Key ${id} is permanently revoked: create a new key.`)]);
  });

  // The reason is sent in a header. Text that is not ASCII once made that fail.
  test('the reason may be in any language', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const reason = 'Vertrag gekündigt – 契約終了 🙂';
    await cli.text('keys', 'revoke', id, '--reason', reason);
    const { items } = (await admin.get(`/v1/audit?subject=${id}&action=key.revoke`)).body;
    expect(items).toEqual([expect.objectContaining({ reason })]);
  });

  test('--chain also revokes the keys that replaced the given one', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const next = (await admin.post(`/v1/keys/${id}/rotate`, {})).body;
    await cli.text('keys', 'revoke', id, '--chain');
    expect((await admin.get(`/v1/keys/${next.id}`)).body).toMatchObject({ status: 'revoked' });
  });
});

describe('disable', () => {
  test('a key is disabled, and the output says how to undo it', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    expect(await cli.text('keys', 'disable', id, '--reason', 'unpaid')).toBe(
      `Disabled key ${id} (acme).\nAny keys that it replaced are disabled too. To undo, run "tollgate keys enable ${id}", for this key and for each of those.\n`,
    );
    expect((await admin.get(`/v1/keys/${id}`)).body.status).toBe('disabled');
    expect((await cli.run(['keys', 'disable', 'key_none'])).err).toContain('Run "tollgate keys list" to see the ids.');
  });
});

describe('enable', () => {
  test('a disabled key is enabled, with a warning if it has expired', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await admin.patch(`/v1/keys/${id}`, { status: 'disabled' });
    expect(await cli.text('keys', 'enable', id)).toBe(`Enabled key ${id} (acme).\n`);
    const expiresAt = '2026-01-02T03:04:05Z';
    await admin.patch(`/v1/keys/${id}`, { expiresAt });
    expect(await cli.text('keys', 'enable', id)).toBe(
      `Enabled key ${id} (acme).\nIt expired at 2026-01-02 03:04:05 UTC. To extend it, run "tollgate keys update ${id} --expires-at TIME".\n`,
    );
    expect(await cli.json('keys', 'enable', id)).toMatchObject({ id, status: 'active' });
  });
});
